import { othersViews } from "../config/memberTypes.ts";
import type { Member, Settings } from "../config/settings.ts";
import { clusterRoleBindingName, clusterRoleName, ingressName, namespaceName, serviceName } from "../naming/names.ts";
import { takeoverObstacles } from "./adoption/takeover.ts";
import { foreign, isOurs } from "./foreign.ts";
import { keyOf, objectsOf } from "./memberObjects.ts";
import { type ClusterSnapshot, serviceKey } from "./snapshot.ts";

/**
 * What stands in the way of a run: another cluster than the stack's, no ingress controller's namespace, or objects of
 * somebody else under names that we would write to. The provider takes over what exists (so that a killed run can be
 * finished), which is why nothing foreign may get that far.
 * @returns a line for each obstacle, with the way out; none when the run may go on
 */
export function obstacles(members: readonly Member[], settings: Settings, snapshot: ClusterSnapshot): string[] {
  const elsewhere = anotherCluster(settings, snapshot);
  if (elsewhere !== undefined) {
    return [elsewhere];
  }
  return [
    ...noController(settings, snapshot),
    ...othersViews.flatMap((view) => {
      const name = clusterRoleName(view, settings);
      return foreign(`ClusterRole '${name}'`, snapshot.clusterRoles.get(name), settings);
    }),
    ...members.flatMap((member) => memberObstacles(member, settings, snapshot)),
  ];
}

function anotherCluster({ cluster }: Settings, snapshot: ClusterSnapshot): string | undefined {
  return cluster.id === undefined || cluster.id === snapshot.id
    ? undefined
    : `this is another cluster: its id is ${snapshot.id}, and the stack's (cluster.id) is ${cluster.id}; ` +
        "switch to the right context, or change cluster.id if the cluster was rebuilt";
}

/** The namespace belongs to the controller: it is not ours to make. */
function noController({ route }: Settings, snapshot: ClusterSnapshot): string[] {
  const controller = snapshot.namespaces.get(route.namespace);
  if (controller !== undefined && !controller.terminating) {
    return [];
  }
  const state = controller === undefined ? "does not exist" : "is being deleted";
  return [
    `namespace '${route.namespace}' (route.namespace) ${state}; ` +
      "install the ingress controller, or name the namespace where it is",
  ];
}

function memberObstacles(member: Member, settings: Settings, snapshot: ClusterSnapshot): string[] {
  const name = namespaceName(member);
  const namespace = snapshot.namespaces.get(name);
  const { others } = member.type;
  const binding = others === "none" ? undefined : clusterRoleBindingName(member, others, settings);
  const controllers = settings.route.namespace;
  const service = snapshot.services.get(serviceKey(controllers, serviceName(member)));
  const lines = [
    ...foreign(`namespace '${name}'`, namespace, settings, member),
    ...(binding === undefined
      ? []
      : foreign(`ClusterRoleBinding '${binding}'`, snapshot.clusterRoleBindings.get(binding), settings, member)),
    ...foreign(`Service '${controllers}/${serviceName(member)}'`, service, settings, member),
    ...foreign(
      `Ingress '${controllers}/${ingressName(member)}'`,
      snapshot.ingresses.get(ingressName(member)),
      settings,
      member,
    ),
    ...(member.adopt ? takeoverObstacles(member, settings, snapshot) : foreignQuota(member, settings, snapshot)),
  ];
  if (lines.length === 0 && namespace?.terminating === true) {
    lines.push(`namespace '${name}' is still being deleted; wait until it is gone, then run again`);
  }
  return lines.map((line) => `member '${member.name}': ${line}`);
}

/**
 * The one object at home that not every run declares: a type without a quota has one while the member is suspended, and
 * loses it after that. What somebody made under its name meanwhile would be lost with it.
 */
function foreignQuota(member: Member, settings: Settings, snapshot: ClusterSnapshot): string[] {
  const name = namespaceName(member);
  const home = snapshot.namespaces.get(name);
  const quota = objectsOf(member, settings, snapshot).find(({ kind }) => kind === "ResourceQuota");
  const live = quota === undefined ? undefined : snapshot.guards.get(keyOf(quota));
  // One that a run has applied is ours, whatever became of its labels since.
  return home === undefined || !isOurs(home, settings) || live?.applied !== undefined
    ? []
    : foreign(`ResourceQuota '${name}/${quota?.name}'`, live, settings, member);
}
