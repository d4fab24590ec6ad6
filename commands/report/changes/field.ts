/** A field's name and format for people. */
export interface Field {
  readonly what: string;
  /** Text of a single value, or of a missing one, given the rest of the object. Default: the value. */
  readonly text?: (value: string | undefined, object: Readonly<Record<string, unknown>>) => string | undefined;
  /** Entries of a list that is compared entry by entry. */
  readonly list?: (value: unknown) => readonly unknown[];
  /** Short text of an entry; undefined if there is none. */
  readonly entry?: (entry: unknown) => string | undefined;
}
