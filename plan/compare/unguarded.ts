import { type ClusterSnapshot, keyOf } from "../../cluster/read/snapshot/snapshot.ts";
import { isAbsent } from "../decisions/unread/unread.ts";
import { policyObjectsOf } from "../manifest/policyObjects.ts";
import type { Finding } from "../messages/finding.ts";
import type { Planned } from "../plan.ts";

/**
 * Members that a targeted run may not give access: an admission policy for their namespaces is missing, and only a full run
 * makes it. Pulumi's state may still have the policy.
 */
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
