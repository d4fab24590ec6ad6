import { z } from "zod";
import { messageOf } from "../../cluster/api/message.ts";
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
const digest = z.object({ steps: z.array(step).nullish(), diagnostics: z.array(diagnostic).nullish() });

/** An operation in a preview. */
export type DigestStep = z.output<typeof step>;

export interface Digest {
  readonly steps: readonly DigestStep[];
  readonly diagnostics: readonly z.output<typeof diagnostic>[];
}

/**
 * Parses what `pulumi preview --json` prints.
 * @throws Problem for anything else
 */
export function readDigest(text: string): Digest {
  try {
    const { steps, diagnostics } = digest.parse(JSON.parse(text));
    return { steps: steps ?? [], diagnostics: diagnostics ?? [] };
  } catch (cause) {
    throw new Problem("'pulumi preview --json' has printed no preview that this version can read.", {
      why: messageOf(cause),
      remedy: "Report this to kubecamp's maintainers, with 'pulumi version'.",
      cause,
    });
  }
}
