/**
 * Answers of the official plugin in 40 steps of a stack's life: `recordings.jsonl`, condensed from its gRPC log. Objects
 * that occur often are defined once and named after their resource.
 */
import { readFileSync } from "node:fs";
import type { Props } from "../../../../../../buckets/protocol/values.ts";
import type { Verdict } from "../support/plugin.ts";

export type RecordedCall =
  | { call: "DiffConfig"; changed: string[]; expect: { changes: string; diffs: string[]; replaces: string[] } }
  | { call: "Check"; urn: string; news: string; expect: string }
  | { call: "Diff"; urn: string; news: string; expect: Verdict }
  | { call: "Create" | "Update"; urn: string; news: string; preview?: true; error?: string; expect?: Outcome }
  | { call: "Read"; urn: string; id: string; inputs: string; error?: string; expect?: ReadOutcome }
  | { call: "Delete"; urn: string; id: string; error?: string };

/** Either the inputs came back as they were, or the live object did. */
export type Outcome = { echo: true } | { id?: string; state: string; managers: string[] };
type ReadOutcome = { gone: true } | { id: string; inputs: string };

export interface RecordedStep {
  name: string;
  calls: RecordedCall[];
}

type Line = { define: string; value: Props } | { step: string } | RecordedCall;

export function loadRecordings(): { steps: RecordedStep[]; objects: Map<string, Props> } {
  const objects = new Map<string, Props>();
  const steps: RecordedStep[] = [];
  const text = readFileSync(new URL("recordings.jsonl", import.meta.url), "utf8");
  for (const line of text.trim().split("\n")) {
    const entry: Line = JSON.parse(line);
    if ("define" in entry) {
      objects.set(entry.define, entry.value);
    } else if ("step" in entry) {
      steps.push({ name: entry.step, calls: [] });
    } else {
      steps.at(-1)?.calls.push(entry);
    }
  }
  return { steps, objects };
}
