import type { UpCommand } from "../../config/sources/upCommand.ts";
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

/**
 * The warnings that say what was found, one for each matter, in the order in which these come first.
 * @param by the command that they name
 */
export const warningsOf = (findings: readonly Finding[], by: UpCommand = "pulumi up"): Warning[] =>
  [...Map.groupBy(findings, ({ code }) => code)].flatMap(([code, all]) =>
    worded(code, all).map((text) => ({ code, text: naming(text, by) })),
  );

/**
 * A paragraph for each refusal, with the way out.
 * @param by the command that is the way out
 */
export const refusalTexts = (refusals: readonly Refusal[], by: UpCommand = "pulumi up"): string[] =>
  refusals.flatMap((refusal) => worded(refusal.code, [refusal])).map((text) => naming(text, by));

/** Words are written for `pulumi up`. All that they say of it is true of `kubecamp up`, which takes the same options. */
const naming = (text: string, by: UpCommand) => text.replaceAll(/\bpulumi up\b/g, by);

/** All of one matter: TypeScript does not see that the findings of a code are what its words take. */
const worded = <C extends WordedCode>(code: C, all: readonly Finding<Code>[]) =>
  words[code](all as readonly Finding<C>[]);

/**
 * A warning as Pulumi's log has it: its code stands before the words, for whoever reads the log or `pulumi preview --json` with
 * a program. `warningIn` reads it.
 */
export const loggedText = ({ code, text }: Warning): string => (code === undefined ? text : `[${code}] ${text}`);
