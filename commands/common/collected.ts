/** Collects the values of an option that may be given again. */
export const collected = (value: string, before: readonly string[]): readonly string[] => [...before, value];
