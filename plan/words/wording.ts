import { firstFew } from "../../config/values/sentences.ts";

export interface About {
  readonly member?: string;
  readonly object?: string;
}

export interface Reported<Facts> extends About {
  readonly facts: Facts;
}

type Wording<Facts> = (all: readonly Reported<Facts>[]) => readonly string[];

export type WordsOf<Topic> = { readonly [C in keyof Topic]: Wording<Topic[C]> };

export interface Why {
  readonly why: string;
}

export interface Reason {
  readonly reason: string;
}

export type None = Readonly<Record<string, never>>;

/** One text for all findings: a title, and a line for each. */
export const listed =
  <Facts>(
    title: string | ((all: readonly Reported<Facts>[]) => string),
    line: (finding: Reported<Facts>) => string,
    most = Number.POSITIVE_INFINITY,
  ): Wording<Facts> =>
  (all) => [
    [
      typeof title === "string" ? title : title(all),
      ...all.slice(0, most).map((each) => `  ${line(each)}`),
      ...(all.length > most ? [`  and ${all.length - most} more`] : []),
    ].join("\n"),
  ];

/** One sentence for all findings, separated by commas; of a whole class, the first few. */
export const inOneSentence =
  <Facts>(before: string, part: (finding: Reported<Facts>) => string, after = ""): Wording<Facts> =>
  (all) => [before + firstFew(all.map(part), 20) + after];

export const each =
  <Facts>(text: (finding: Reported<Facts>) => string): Wording<Facts> =>
  (all) =>
    all.map(text);

/** The same, in a sentence about the member, if it is about one. */
export const eachMember = <Facts>(text: (finding: Reported<Facts>) => string, between = ": "): Wording<Facts> =>
  each((one) => (one.member === undefined ? text(one) : `member '${one.member}'${between}${text(one)}`));

export const lineOf = ({ member, object }: About, text = "") =>
  [member ?? object ?? "", text].filter((part) => part !== "").join(": ");

export const memberNames = (all: readonly About[]): string[] => all.flatMap(({ member }) => member ?? []);
