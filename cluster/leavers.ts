import type { Member, Settings } from "../config/settings.ts";
import { memberLabel, stackLabel } from "../naming/labels.ts";
import type { ClusterSnapshot } from "./snapshot.ts";

/** Names of those who have objects of this stack on the cluster and are not in its list, in alphabetical order. */
export function leavers(members: readonly Member[], { stack }: Settings, snapshot: ClusterSnapshot): string[] {
  const listed = new Set(members.map(({ name }) => name));
  const kinds = [snapshot.namespaces, snapshot.services, snapshot.ingresses, snapshot.clusterRoleBindings];
  const owners = kinds
    .flatMap((objects) => [...objects.values()])
    .filter(({ labels }) => labels[stackLabel] === stack)
    .map(({ labels }) => labels[memberLabel] ?? "");
  return [...new Set(owners)].filter((name) => name !== "" && !listed.has(name)).sort();
}

/**
 * One warning that names all who leave. Pulumi deletes what its state knows; who is still there in the next run was made
 * by a run that was killed before its state knew, and would keep their access for ever if nobody were told.
 */
export function leaversWarning(
  members: readonly Member[],
  settings: Settings,
  snapshot: ClusterSnapshot,
): string | undefined {
  const names = leavers(members, settings, snapshot);
  if (names.length === 0) {
    return undefined;
  }
  const selector = `-l '${stackLabel}=${settings.stack},${memberLabel} in (${names.join(",")})'`;
  return [
    `No longer in the list, and deleted by 'pulumi up' with all that is theirs: ${names.join(", ")}.`,
    "Only if a later run names them again, because an earlier one was killed before it had noted what it made:",
    `  kubectl delete ingress,service -n ${settings.route.namespace} ${selector}`,
    `  kubectl delete clusterrolebinding,namespace ${selector}`,
  ].join("\n");
}
