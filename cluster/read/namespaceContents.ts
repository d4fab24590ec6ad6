import type { KubernetesObject, V1Namespace, V1PersistentVolumeClaim } from "@kubernetes/client-node";
import { type Member, mayRun } from "../../config/member/member.ts";
import { stackLabel } from "../../config/names/labels.ts";
import { namespaceName } from "../../config/names/names.ts";
import { phaseAt } from "../../config/schedule.ts";
import type { Settings } from "../../config/settings.ts";
import type { ApiServer } from "../api/client.ts";
import type { ListRequest } from "../api/requests.ts";
import { allOf, listPath, oursOf } from "../kinds/kinds.ts";
import { type Owned, ownersIn } from "./owners.ts";
import type { Lists } from "./rights.ts";
import type { Claim, NamespaceContents } from "./snapshot.ts";

export const unfinishedPhases = "fieldSelector=status.phase!%3DSucceeded,status.phase!%3DFailed";

export const unfinishedPods: ListRequest = {
  ...allOf("Pod"),
  path: `${listPath("Pod")}?${unfinishedPhases}`,
  metadataOnly: true,
};

/** Grace period of a deleted pod in seconds; Kubernetes' default. A pod may ask for a year, and then runs that long. */
export const longestGracePeriod = 30;

/** Whether a member who leaves or is suspended may have pods or claims. Those of active members need no counting. */
export function namespaceContentsMatter(
  members: readonly Member[],
  { stack }: Pick<Settings, "stack">,
  snapshot: Owned,
  now: Date,
) {
  const listed = new Set(members.map(({ name }) => name));
  const owners = [...ownersIn((label) => label === stack, snapshot).keys()];
  return (
    owners.some((name) => !listed.has(name)) ||
    members.some((member) => isStopped(member, now) && snapshot.namespaces.has(namespaceName(member)))
  );
}

/** Whether a run may stop the member's pods; also of somebody whom `kubecamp members wake` keeps awake. */
const isStopped = (member: Member, now: Date) =>
  !mayRun(member) || (member.schedule !== undefined && phaseAt(member.schedule, now).isAsleep);

export async function readNamespaceContents(api: Lists): Promise<Map<string, NamespaceContents>> {
  const [pods, claims] = await Promise.all([
    api.list<KubernetesObject>(unfinishedPods),
    api.list<V1PersistentVolumeClaim>(allOf("PersistentVolumeClaim")),
  ]);
  const alive = pods.filter((pod) => !isEnding(pod));
  const podsIn = Map.groupBy(alive, namespaceOf);
  const claimsIn = Map.groupBy(claims, namespaceOf);
  const namespaces = new Set([...podsIn.keys(), ...claimsIn.keys()]);
  return new Map(
    [...namespaces].map((namespace) => [
      namespace,
      { pods: podsIn.get(namespace)?.length ?? 0, claims: (claimsIn.get(namespace) ?? []).map(claimOf) },
    ]),
  );
}

function isEnding({ metadata }: KubernetesObject): boolean {
  return metadata?.deletionTimestamp !== undefined && (metadata.deletionGracePeriodSeconds ?? 0) <= longestGracePeriod;
}

function namespaceOf({ metadata }: KubernetesObject): string {
  return metadata?.namespace ?? "";
}

function claimOf({ metadata, spec }: V1PersistentVolumeClaim): Claim {
  return { name: metadata?.name ?? "", storage: spec?.resources?.requests?.storage ?? "?" };
}

/** Adds the status to members' namespaces that are being deleted: it says what keeps them. No LIST without any. */
export async function withHolders(
  namespaces: readonly KubernetesObject[],
  api: Pick<ApiServer, "list">,
): Promise<readonly KubernetesObject[]> {
  if (!namespaces.some(isHeld)) {
    return namespaces;
  }
  const whole = await api.list<V1Namespace>(oursOf("Namespace"));
  const statuses = new Map(whole.map(({ metadata, status }) => [metadata?.uid, status]));
  return namespaces.map((each) => (isHeld(each) ? { ...each, status: statuses.get(each.metadata?.uid) } : each));
}

const isHeld = ({ metadata }: KubernetesObject): boolean =>
  metadata?.deletionTimestamp !== undefined && metadata.labels?.[stackLabel] !== undefined;
