import { z } from "zod";
import { jsonIn } from "../../config/model/json.ts";
import { Problem } from "../common/problem.ts";

const inputs = z.record(z.string(), z.unknown());

const state = z.object({
  inputs: inputs.default({}),
  /** Whether a replacement has left the object to be deleted. */
  delete: z.boolean().default(false),
  retainOnDelete: z.boolean().default(false),
});

const step = z.object({
  op: z.string(),
  urn: z.string(),
  oldState: state.optional(),
  newState: state.optional(),
  detailedDiff: z.record(z.string(), z.unknown()).nullish(),
});

const diagnostic = z.object({ urn: z.string().optional(), message: z.string(), severity: z.string() });

/**
 * Fields of `pulumi preview --json` that are read. Its `config` is not, since its values are nobody else's business;
 * nor are the objects' outputs.
 * @see https://www.pulumi.com/docs/iac/cli/commands/pulumi_preview/
 */
const digest = z.object({
  steps: z.array(step).nullish(),
  diagnostics: z.array(diagnostic).nullish(),
  changeSummary: z.record(z.string(), z.number()).nullish(),
});

/** An operation in a preview. */
export type DigestStep = z.output<typeof step>;

export interface Digest {
  readonly steps: readonly DigestStep[];
  readonly diagnostics: readonly z.output<typeof diagnostic>[];
}

const remedy =
  "Give it what 'pulumi preview --json' prints, or leave FILE out: then the report runs the preview itself.";

/**
 * Parses a preview's output.
 * @param source name for messages, such as `preview.json`
 * @throws Problem for any other content, naming its likely kind
 */
export function readDigest(text: string, source: string): Digest {
  if (text.trim() === "") {
    throw new Problem(`There is nothing in ${source}.`, {
      why: "A preview that can't start prints only an error, on stderr: such as a wrong passphrase, or an unknown stack.",
      remedy: "Look at what 'pulumi preview --json' said on stderr, or leave FILE out: the report then shows it.",
    });
  }
  const value = parsed(text, source);
  const why = otherThing(value);
  if (why !== undefined) {
    throw new Problem(`${source} is no preview.`, { why, remedy });
  }
  const read = digest.safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    const place = issue === undefined || issue.path.length === 0 ? "it" : issue.path.join(".");
    throw new Problem(`${source} is no preview that this version can read.`, {
      why: `${place}: ${issue?.message ?? "unknown"}`,
      remedy: "Report this to kubecamp's maintainers, with 'pulumi version'.",
    });
  }
  return { steps: read.data.steps ?? [], diagnostics: read.data.diagnostics ?? [] };
}

function parsed(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const first = text.trimStart().split("\n", 1)[0] ?? "";
    if (isDocument(first)) {
      throw new Problem(`${source} has several JSON documents, and not one preview.`, {
        why: "Events of an 'up --json', or of a preview with PULUMI_ENABLE_STREAMING_JSON_PREVIEW, are separate documents.",
        remedy: `Unset that variable. ${remedy}`,
      });
    }
    const why = text.trimStart().startsWith("{")
      ? `It begins as one and is cut off or damaged: ${(cause as Error).message}`
      : `It is no JSON; it begins with '${first.slice(0, 60)}'.`;
    throw new Problem(`${source} is no preview.`, { why, remedy, cause });
  }
}

const isDocument = (line: string) => typeof jsonIn(line) === "object";

/** Description of JSON that is no preview; undefined if it may be one. */
function otherThing(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return "It is a list or a single value, and a preview is an object with 'steps'.";
  }
  const isPreview = ["steps", "diagnostics", "changeSummary"].some((key) => key in value);
  return isPreview
    ? undefined
    : `It has neither 'steps' nor 'diagnostics', but ${Object.keys(value).slice(0, 5).join(", ") || "nothing"}.`;
}
