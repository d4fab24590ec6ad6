import { quotaStateOf } from "../../cluster/read/capacity/quotaState.ts";
import { type ClusterSnapshot, objectKey } from "../../cluster/read/snapshot/snapshot.ts";
import type { Restless } from "../../cluster/write/pods.ts";
import type { Member } from "../../config/model/members/member.ts";
import { mayRun } from "../../config/model/members/standing.ts";
import { namespaceName, resourceQuotaName } from "../../naming/names.ts";

/** Members whose pods a run has to stop: a quota of zero refuses new pods, and ends none. */
export function restlessMembers(
  members: readonly Member[],
  { namespaceContents }: Pick<ClusterSnapshot, "namespaceContents">,
): Restless[] {
  return inactive(members, namespaceContents).filter(({ pods }) => pods > 0);
}

/** Also members who had no pods when the cluster was read, but whose quota still admitted new ones. */
export function stillOpenMembers(
  members: readonly Member[],
  {
    namespaceContents,
    managedObjects,
    namespaces,
  }: Pick<ClusterSnapshot, "namespaceContents" | "managedObjects" | "namespaces">,
): Restless[] {
  return inactive(members, namespaceContents).filter(
    ({ namespace, pods }) =>
      pods > 0 ||
      (namespaces.has(namespace) &&
        quotaStateOf(managedObjects.get(objectKey("ResourceQuota", resourceQuotaName, namespace))?.content) !==
          "closed"),
  );
}

function inactive(members: readonly Member[], namespaceContents: ClusterSnapshot["namespaceContents"]): Restless[] {
  return members
    .filter((member) => !mayRun(member))
    .map((member) => {
      const namespace = namespaceName(member);
      return { member: member.name, namespace, pods: namespaceContents.get(namespace)?.pods ?? 0 };
    });
}
