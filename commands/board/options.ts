/** Languages of the pages' own words; messages of kubecamp and of the cluster are English in all of them. */
export const languages = ["en", "ja"] as const;
export type Language = (typeof languages)[number];

export interface PageOptions {
  readonly language: Language;
  /** URL of a member's own page. Default: there is none, and rows only open. */
  readonly memberHref?: (member: string) => string;
  /** URL of the board, for the link back to it. Default: no link. */
  readonly boardHref?: string;
}

export interface BoardOptions extends PageOptions {
  /** A label of members, or `type`, to group by. Default: by state. */
  readonly by?: string;
}
