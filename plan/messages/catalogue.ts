import type { Code, Finding, Refusal, RefusalCode, WarningCode } from "./finding.ts";
import { refusalWords } from "./refusalWords.ts";
import { warningWords } from "./warningWords.ts";
import type { Wording } from "./wording.ts";

type WordedCode = WarningCode | RefusalCode;

const words: { readonly [C in WordedCode]: Wording<C> } = { ...warningWords, ...refusalWords };

/** A warning as it is shown: what it is about, and the words. */
export interface Warning {
  /** Undefined for what the program has not said, but Pulumi or a plugin of its. */
  readonly code: WarningCode | undefined;
  readonly text: string;
}

/** The warnings that say what was found, one for each matter, in the order in which these come first. */
export const warningsOf = (findings: readonly Finding[]): Warning[] =>
  [...Map.groupBy(findings, ({ code }) => code)].flatMap(([code, all]) =>
    worded(code, all).map((text) => ({ code, text })),
  );

/** A paragraph for each refusal, with the way out. */
export const refusalTexts = (refusals: readonly Refusal[]): string[] =>
  refusals.flatMap((refusal) => worded(refusal.code, [refusal]));

/** All of one matter: TypeScript does not see that the findings of a code are what its words take. */
const worded = <C extends WordedCode>(code: C, all: readonly Finding<Code>[]) =>
  words[code](all as readonly Finding<C>[]);

/**
 * A warning as Pulumi's log has it: its code stands before the words, for whoever reads the log or `pulumi preview --json` with
 * a program. `warningIn` reads it.
 */
export const loggedText = ({ code, text }: Warning): string => (code === undefined ? text : `[${code}] ${text}`);
