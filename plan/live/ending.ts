import type { V1Namespace } from "@kubernetes/client-node";
import { objectKey } from "../../cluster/kinds/objectName.ts";
import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { Member } from "../../config/member/member.ts";
import { namespaceName } from "../../config/names/names.ts";

type Ended = Pick<ClusterSnapshot, "managedObjects" | "forgotten">;

/** Nothing can be created in it then; also while Pulumi's state still has the namespace but no longer its contents. */
export const isEnding = (member: Pick<Member, "name">, { managedObjects, forgotten }: Ended): boolean =>
  managedObjects.get(objectKey("Namespace", namespaceName(member)))?.terminating === true ||
  forgotten?.has(member.name) === true;

/** Why a member's path is closed until then. */
export const endingReason = (member: Pick<Member, "name">, { managedObjects, forgotten }: Ended) => {
  const name = namespaceName(member);
  return forgotten?.has(member.name)
    ? `namespace '${name}' was deleted; 'pulumi up --refresh' makes it again, and the next up its objects`
    : `namespace '${name}' is being deleted${heldText(managedObjects.get(objectKey("Namespace", name))?.content)}`;
};

/** In the API server's words: objects, finalizers, an API service that does not answer. Empty before it has said so. */
export function heldText(namespace: object = {}): string {
  const { conditions = [] } = (namespace as V1Namespace).status ?? {};
  const held = conditions.flatMap(({ type, status, message }) => {
    const way = type === "NamespaceDeletionDiscoveryFailure" ? " (see kubectl get apiservices)" : "";
    return status === "True" && message ? [message + way] : [];
  });
  return held.length === 0 ? "" : `: ${held.join("; ")}`;
}
