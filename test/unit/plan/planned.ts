import assert from "node:assert/strict";
import type { StackKind } from "../../../cluster/kinds/stackKinds.ts";
import type { ClusterSnapshot, ManagedObject } from "../../../cluster/read/snapshot.ts";
import { nothingRead } from "../../../cluster/read/snapshot.ts";
import type { Member } from "../../../config/member/member.ts";
import type { Configuration, Settings } from "../../../config/settings.ts";
import type { Declared } from "../../../objects/declared.ts";
import { type ManagedPlan, managedServiceOf } from "../../../plan/decisions/managedService.ts";
import { starterPlan } from "../../../plan/decisions/starterPlan.ts";
import type { Target } from "../../../plan/decisions/target.ts";
import { Drift } from "../../../plan/live/drift.ts";
import type { KnownObjects } from "../../../plan/live/knownState.ts";
import type { MemberPlan } from "../../../plan/members/memberPlan.ts";
import { type Plan, type Planned, planFor, planMembers, planStack } from "../../../plan/members/plan.ts";
import { warningsOf } from "../../../plan/words/catalogue.ts";
import type { Finding } from "../../../plan/words/finding.ts";
import type { LiveSnapshot } from "../../../watch/live/liveObjects.ts";
import { liveObject } from "../cluster/liveService.ts";

/** The plan of a stack that has all of the list, on a cluster where nothing is but what is given. */
export const planOf = (list: readonly Member[], settings: Settings, snapshot: Partial<ClusterSnapshot> = {}): Plan => {
  const { unread: _, ...nothing } = nothingRead();
  return planStack(list, list, settings, { ...nothing, ...snapshot });
};

/** Likewise of one member. */
export function planned(member: Member, settings: Settings, snapshot: Partial<ClusterSnapshot> = {}): MemberPlan {
  const [plan] = planOf([member], settings, snapshot).members;
  if (plan === undefined) {
    throw new Error("no plan");
  }
  return plan;
}

/** An object as it is compared. */
export const compared = <K extends StackKind, T extends Declared>(kind: K, args: T) => ({
  kind,
  name: args.metadata.name,
  namespace: args.metadata.namespace,
  args,
});

/** An object as a run has left it on the API server, but for what a test changes in it. */
export function applied(kind: StackKind, args: Declared, change: Partial<ManagedObject> = {}): ManagedObject {
  const { metadata, ...content } = Drift.none.marked(compared(kind, args));
  const { labels, annotations = {} } = metadata;
  return liveObject({
    ...{ labels, annotations, applied: annotations["kubecamp.dev/applied"] },
    content: JSON.parse(JSON.stringify(content)),
    ...change,
  });
}

/** The plan for a member's Service where kubecamp makes it, or the reason why not. */
export const managedOf = (
  member: Member,
  settings: Settings,
  snapshot: Pick<ClusterSnapshot, "managedObjects" | "services" | "unread">,
): ManagedPlan | undefined => managedServiceOf(member, starterPlan(member, settings, snapshot), settings, snapshot);

/** The plan of a run that targets some of a list. */
export function runOf(
  list: readonly Member[],
  target: Target,
  settings: Settings,
  snapshot: Partial<ClusterSnapshot>,
): [Plan, Target] {
  const members = new Set(target.members);
  return [planFor(planOf(list, settings, snapshot), (member) => members.has(member)), target];
}

/** The watch's plan. */
export const plannedBy = ({ settings, members }: Configuration, live: LiveSnapshot): Planned<LiveSnapshot> =>
  planMembers(members, settings, live);

/** The state after a run that has made these, by their keys. */
export const knowing = (...keys: readonly string[]): KnownObjects => new Set(keys);

/** The warnings that say some findings. */
export const textsOf = (findings: readonly Finding[]): string[] => warningsOf(findings).map(({ text }) => text);

/** The one warning that says some findings; undefined where there are none. */
export function textOf(findings: readonly Finding[]): string | undefined {
  const [text, ...others] = textsOf(findings);
  assert.deepEqual(others, []);
  return text;
}
