import type { EngineEvent, StepEventMetadata } from "@pulumi/pulumi/automation/index.js";
import { keyOf } from "../../cluster/kinds/objectName.ts";
import { contentOf } from "../../cluster/read/snapshot.ts";
import { manifestKind } from "../../config/names/customKinds.ts";
import { isMap } from "../../config/values/maps.ts";
import type { Inputs } from "../../objects/field.ts";
import type { Plan } from "../../plan/members/plan.ts";
import type { Finding } from "../../plan/words/finding.ts";

export type DigestStep = Pick<StepEventMetadata, "op" | "urn" | "old" | "new" | "detailedDiff">;

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

/** Objects of the plan that are on the cluster, whether Pulumi's state has them or not, with their declared fields. */
type StandingObjects = ReadonlyMap<string, { readonly isFine: boolean; readonly inputs: Inputs }>;

/** The stack's own objects that a run finds on the cluster, of these members and of the stack. */
export function standingIn({ classified, members }: Pick<Plan, "classified" | "members">): StandingObjects {
  const all = [...classified, ...members.flatMap((plan) => plan.classified)];
  return new Map(
    all.flatMap(({ object, live, standing, verdict }) => {
      if (live === undefined || standing !== "ours") {
        return [];
      }
      const { apiVersion, kind, name, namespace, args } = object;
      const { labels, annotations } = live;
      const metadata = { name, namespace, labels, annotations };
      const inputs = within({ ...contentOf(live), metadata }, args) as Inputs;
      const found = { isFine: verdict === "fine", inputs: { apiVersion, kind: manifestKind(kind), ...inputs } };
      return [[keyOf(object), found] as const];
    }),
  );
}

function within(value: unknown, fields: unknown): unknown {
  return isMap(value) && isMap(fields)
    ? Object.fromEntries(
        Object.keys(fields).flatMap((key) => (key in value ? [[key, within(value[key], fields[key])]] : [])),
      )
    : value;
}
