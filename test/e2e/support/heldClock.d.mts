/** Goes by a file from now on; by the real clock if there is none. */
export function goBy(clock?: string): void;
