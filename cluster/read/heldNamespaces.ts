import type { KubernetesObject, V1Namespace } from "@kubernetes/client-node";
import { stackLabel } from "../../naming/labels.ts";
import type { ApiServer } from "../api/client.ts";
import { oursOf } from "../kinds/kinds.ts";

/**
 * Adds the status to members' namespaces that are being deleted: it says what keeps them. Takes a LIST only if there are
 * such namespaces.
 */
export async function withHolders(
  namespaces: readonly KubernetesObject[],
  api: Pick<ApiServer, "list">,
): Promise<readonly KubernetesObject[]> {
  if (!namespaces.some(isEnding)) {
    return namespaces;
  }
  const whole = await api.list<V1Namespace>(oursOf("Namespace"));
  const statuses = new Map(whole.map(({ metadata, status }) => [metadata?.uid, status]));
  return namespaces.map((each) => (isEnding(each) ? { ...each, status: statuses.get(each.metadata?.uid) } : each));
}

const isEnding = ({ metadata }: KubernetesObject): boolean =>
  metadata?.deletionTimestamp !== undefined && metadata.labels?.[stackLabel] !== undefined;
