import type { Code, Finding } from "./finding.ts";

/** Makes the texts for all findings of a code: each text is a warning of its own. */
export type Wording<C extends Code> = (all: readonly Finding<C>[]) => readonly string[];

/** One text for all findings: a title, and a line for each. */
export const listed =
  <C extends Code>(title: string | ((count: number) => string), line: (finding: Finding<C>) => string): Wording<C> =>
  (all) => [
    [typeof title === "string" ? title : title(all.length), ...all.map((each) => `  ${line(each)}`)].join("\n"),
  ];

/** One sentence for all findings, separated by commas. */
export const inOneSentence =
  <C extends Code>(before: string, part: (finding: Finding<C>) => string, after = ""): Wording<C> =>
  (all) => [before + all.map(part).join(", ") + after];

/** One text for each finding. */
export const each =
  <C extends Code>(text: (finding: Finding<C>) => string): Wording<C> =>
  (all) =>
    all.map(text);

/** A line with the name of the member or object, and a text about it. */
export const lineOf = ({ member, object }: Pick<Finding<Code>, "member" | "object">, text = "") =>
  [member ?? object ?? "", text].filter((part) => part !== "").join(": ");
