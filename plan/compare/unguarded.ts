import { type ClusterSnapshot, keyOf } from "../../cluster/read/snapshot.ts";
import { isAbsent } from "../decisions/unread/unread.ts";
import { policyObjectsOf } from "../manifest/policyObjects.ts";
import type { Finding } from "../messages/finding.ts";
import type { Planned } from "../plan.ts";

/**
 * Why a run that targets members may give some of them no access: an admission policy that judges what they make is
 * missing, and only a full run makes it. To Pulumi's state the policy may still be there.
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
