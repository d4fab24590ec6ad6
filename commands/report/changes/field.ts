/** How people call a field, and write what is in it. */
export interface Field {
  readonly what: string;
  /** A single value, also of one that is not there, in what else the object has. Default: as it is. */
  readonly text?: (value: string | undefined, object: Readonly<Record<string, unknown>>) => string | undefined;
  /** Its entries, if it is a list that is compared entry by entry. */
  readonly list?: (value: unknown) => readonly unknown[];
  /** An entry in a few words; undefined where there are none for it. */
  readonly entry?: (entry: unknown) => string | undefined;
}
