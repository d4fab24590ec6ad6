import type { Code, Finding } from "./finding.ts";

/** What says all that was found of one matter: a text each is a warning of its own. */
export type Wording<C extends Code> = (all: readonly Finding<C>[]) => readonly string[];

/** One text for all, with a line for each below a title. */
export const listed =
  <C extends Code>(title: string | ((count: number) => string), line: (finding: Finding<C>) => string): Wording<C> =>
  (all) => [
    [typeof title === "string" ? title : title(all.length), ...all.map((each) => `  ${line(each)}`)].join("\n"),
  ];

/** One sentence for all, with commas between. */
export const inOneSentence =
  <C extends Code>(before: string, part: (finding: Finding<C>) => string, after = ""): Wording<C> =>
  (all) => [before + all.map(part).join(", ") + after];

/** A text for each. */
export const each =
  <C extends Code>(text: (finding: Finding<C>) => string): Wording<C> =>
  (all) =>
    all.map(text);

/** A line: whom or what it is about, and what of that. */
export const lineOf = ({ member, object }: Pick<Finding<Code>, "member" | "object">, text = "") =>
  [member ?? object ?? "", text].filter((part) => part !== "").join(": ");
