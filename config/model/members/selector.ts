/** Some of a stack's members: those that fit each of its keys. */
export interface Selector {
  /** Names of types. Default: any. */
  readonly types?: readonly string[];
  /** Labels that a member has, all of them. Default: any. */
  readonly labels: Readonly<Record<string, string>>;
  /** Names. Default: any. */
  readonly members?: readonly string[];
}
