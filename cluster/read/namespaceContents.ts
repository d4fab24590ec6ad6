import type { KubernetesObject, V1PersistentVolumeClaim } from "@kubernetes/client-node";
import type { Member, Settings } from "../../config/model/settings.ts";
import { namespaceName } from "../../naming/names.ts";
import type { ListRequest } from "../api/client.ts";
import { allOf, listPath } from "../kinds/kinds.ts";
import { type Owned, ownersIn } from "./owners.ts";
import type { Lists } from "./rights/refusals.ts";
import type { Claim, NamespaceContents } from "./snapshot.ts";

/** The part of a query that leaves out pods that have succeeded or failed. */
export const unfinishedPhases = "fieldSelector=status.phase!%3DSucceeded,status.phase!%3DFailed";

/** All pods that have neither succeeded nor failed. */
export const unfinishedPods: ListRequest = {
  ...allOf("Pod"),
  path: `${listPath("Pod")}?${unfinishedPhases}`,
  metadataOnly: true,
};

/**
 * How long a deleted pod may go on, in seconds: as Kubernetes has it by default. A pod may ask for a year of its own,
 * and then runs for that long.
 */
export const longestGracePeriod = 30;

/** Whether anybody leaves or is suspended who may have something: whoever is active keeps it, and needs no counting. */
export function namespaceContentsMatter(
  members: readonly Member[],
  { stack }: Pick<Settings, "stack">,
  snapshot: Owned,
) {
  const listed = new Set(members.map(({ name }) => name));
  const owners = [...ownersIn((label) => label === stack, snapshot).keys()];
  return (
    owners.some((name) => !listed.has(name)) ||
    members.some((member) => member.standing !== "active" && snapshot.namespaces.has(namespaceName(member)))
  );
}

/** What runs and is kept in each namespace, in two LISTs of the whole cluster. */
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
