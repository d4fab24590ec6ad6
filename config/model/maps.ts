/** Whether a value is a map of YAML or JSON, rather than a list or a plain value. */
export const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A list without what is wrong in it. */
export const present = <T>(list: readonly (T | undefined)[] = []): T[] => list.filter((item) => item !== undefined);
