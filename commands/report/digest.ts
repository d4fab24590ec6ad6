import type { EngineEvent, StepEventMetadata } from "@pulumi/pulumi/automation/index.js";
import type { Finding } from "../../plan/words/finding.ts";
import type { StandingObjects } from "./standing.ts";

export type DigestStep = Pick<StepEventMetadata, "op" | "urn" | "old" | "new" | "detailedDiff">;

/** A message of Pulumi's, its plugins' or a project's own program. */
interface PulumiMessage {
  readonly urn?: string | undefined;
  readonly message: string;
  readonly severity: string;
}

export interface Digest {
  readonly steps: readonly DigestStep[];
  readonly messages: readonly PulumiMessage[];
  readonly warnings: readonly Finding[];
  readonly notices: readonly Finding[];
  readonly standing: StandingObjects;
}

export const nothingFound: Digest = { steps: [], messages: [], warnings: [], notices: [], standing: new Map() };

/** Merges previews of several stacks for one report; no two share a URN. */
export function mergedDigest(all: readonly Digest[]): Digest {
  return {
    steps: all.flatMap(({ steps }) => steps),
    messages: all.flatMap(({ messages }) => messages),
    warnings: all.flatMap(({ warnings }) => warnings),
    notices: all.flatMap(({ notices }) => notices),
    standing: new Map(all.flatMap(({ standing }) => [...standing])),
  };
}

export class PreviewEvents {
  readonly steps: DigestStep[] = [];
  readonly messages: PulumiMessage[] = [];

  /** @see https://www.pulumi.com/docs/iac/automation-api/ */
  take({ resourcePreEvent, diagnosticEvent }: EngineEvent): void {
    if (resourcePreEvent !== undefined) {
      const { metadata } = resourcePreEvent;
      const { op, urn } = metadata;
      // A step of an unchanged resource only shows that there is a preview, and would be most of the memory.
      this.steps.push(op === "same" ? { op, urn } : metadata);
    }
    if (diagnosticEvent !== undefined && diagnosticEvent.ephemeral !== true) {
      const { urn, message, severity } = diagnosticEvent;
      this.messages.push({ urn, message, severity });
    }
  }
}
