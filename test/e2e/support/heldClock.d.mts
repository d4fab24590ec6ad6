export function dateOf(file: string | undefined): DateConstructor;
