export interface About {
  readonly member?: string;
  /** Name of the object, as messages have it. */
  readonly object?: string;
}

export interface Reported<Facts> extends About {
  readonly facts: Facts;
}

/** Makes the texts for all findings of a code: each text is a warning of its own. */
type Wording<Facts> = (all: readonly Reported<Facts>[]) => readonly string[];

export type WordsOf<Topic> = { readonly [C in keyof Topic]: Wording<Topic[C]> };

export interface Why {
  readonly why: string;
}

export interface Reason {
  readonly reason: string;
}

/** No facts besides the member or the object. */
export type None = Readonly<Record<string, never>>;

/** One text for all findings: a title, and a line for each. */
export const listed =
  <Facts>(title: string | ((count: number) => string), line: (finding: Reported<Facts>) => string): Wording<Facts> =>
  (all) => [
    [typeof title === "string" ? title : title(all.length), ...all.map((each) => `  ${line(each)}`)].join("\n"),
  ];

/** One sentence for all findings, separated by commas. */
export const inOneSentence =
  <Facts>(before: string, part: (finding: Reported<Facts>) => string, after = ""): Wording<Facts> =>
  (all) => [before + all.map(part).join(", ") + after];

export const each =
  <Facts>(text: (finding: Reported<Facts>) => string): Wording<Facts> =>
  (all) =>
    all.map(text);

/** A line with the name of the member or object, and a text about it. */
export const lineOf = ({ member, object }: About, text = "") =>
  [member ?? object ?? "", text].filter((part) => part !== "").join(": ");

/** A sentence with the name of the member, if it is about one. */
export const ofMember = ({ member }: About, text: string, between = ": ") =>
  member === undefined ? text : `member '${member}'${between}${text}`;

export const memberNames = (all: readonly About[]): string[] => all.flatMap(({ member }) => member ?? []);
