import { keyOf } from "../../cluster/kinds/objectName.ts";
import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import { namespaceName } from "../../config/names/names.ts";
import type { Classified } from "../live/classify.ts";
import { isEnding } from "../live/ending.ts";
import type { KnownObjects } from "../live/knownState.ts";
import { isAbsent } from "../live/unread.ts";
import { policyObjectsOf } from "../rows/manifest.ts";
import type { ReadObject } from "../rows/row.ts";
import type { Finding } from "../words/finding.ts";
import type { MemberPlan } from "./memberPlan.ts";
import type { Planned } from "./plan.ts";

type Own = Classified<ReadObject>;
type Live = Pick<ClusterSnapshot, "namespaces" | "managedObjects">;

/** Pulumi looks at the cluster only in a refresh: else a run takes these for unchanged, or fails to change them. */
export const missingObjects = (
  { classified, members, snapshot }: Planned<Live>,
  known: KnownObjects,
): Finding<"missing">[] =>
  [
    ...classified,
    ...members.filter(({ member }) => !isEnding(member, snapshot)).flatMap((plan) => withoutContents(plan, snapshot)),
  ]
    .filter((each) => isMissing(each, known))
    .map(({ object }) => ({ code: "missing", object: keyOf(object), facts: {} }));

/** The contents of a namespace come back with it. */
const withoutContents = ({ member, classified }: MemberPlan, { namespaces }: Live): readonly Own[] =>
  namespaces.has(namespaceName(member)) ? classified : classified.filter(({ object }) => object.part === "namespace");

/** Whether an earlier run made an absent object: only a refresh shows its absence to Pulumi. */
export const isMissing = ({ object, standing }: Own, known: KnownObjects): boolean =>
  standing === "toMake" && known.has(keyOf(object));

/** Who may get no access: a policy is missing that only a full run makes, even if Pulumi's state still has it. */
export function unguarded({
  members,
  settings,
  shared,
  snapshot,
}: Planned<Pick<ClusterSnapshot, "managedObjects" | "services" | "unread">>): Finding<"unguarded">[] {
  const missing = policyObjectsOf({ shared }).filter((object) => isAbsent(object, snapshot));
  if (missing.length === 0) {
    return [];
  }
  const facts = { policies: missing.map(keyOf), stack: settings.stack };
  return members
    .filter(({ classified }) =>
      classified.some(({ object, standing }) => standing === "toMake" && object.role !== undefined),
    )
    .map(({ member: { name } }) => ({ code: "unguarded", member: name, facts }));
}
