import { withPages } from "./pages.ts";

/** Why something failed, and what to do; commands print each on lines of its own. */
export interface ErrorParts {
  readonly why?: string;
  readonly remedy?: string;
}

function wholeText(what: string, { why, remedy }: ErrorParts): string {
  const isSentence = what.endsWith(".");
  const reason = isSentence ? `\n${(why ?? "").replaceAll(/^(?=.)/gm, "  ")}` : `: ${why}`;
  return [`${what}${why === undefined ? "" : reason}`, ...(remedy === undefined ? [] : [remedy])].join("\n");
}

/**
 * An error whose message is complete, so that nobody is shown a stack trace. Pulumi recognizes its own RunError by this
 * field, from any copy of the SDK; loading the SDK for it would take a quarter of a second.
 * @see https://www.pulumi.com/docs/reference/pkg/nodejs/pulumi/pulumi/classes/RunError.html
 */
export class RunError extends Error {
  readonly __pulumiRunError = true;
  readonly what: string;
  /** Undefined if the whole text is in `what`. */
  readonly parts: ErrorParts | undefined;

  /** @param what a sentence with a stop has its reasons below, in lines; else they follow it */
  constructor(what: string, parts?: ErrorParts) {
    super(withPages(parts === undefined ? what : wholeText(what, parts)));
    this.what = what;
    this.parts = parts;
  }

  static isInstance(error: unknown): error is RunError {
    return typeof error === "object" && error !== null && Reflect.get(error, "__pulumiRunError") === true;
  }
}
