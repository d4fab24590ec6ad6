import { firstOf } from "../../../cluster/kinds/nameList.ts";
import { kubectlDelete } from "../../../cluster/read/kubectl.ts";
import {
  type ClusterSnapshot,
  keyOf,
  type ManagedObject,
  type ObjectName,
  objectKey,
  objectNameOf,
} from "../../../cluster/read/snapshot.ts";
import { memberLabel, stackLabel } from "../../../naming/labels.ts";
import { ingressName, namespaceName, serviceName } from "../../../naming/names.ts";
import { isOfStarter } from "../../decisions/starter/names.ts";
import type { Planned } from "../../plan.ts";
import { takenOver } from "./takeover.ts";

type Live = Pick<ClusterSnapshot, "managedObjects" | "services" | "unread">;
type Labels = Readonly<Record<string, string>>;

/**
 * What still guards or opens something for members with `adopt` beside what kubecamp declares: the Members operator's
 * objects, or anybody's. They are the admins' to delete; a wrong guess here would lock somebody out, or let them in.
 */
export function unmanagedObjects({ members, settings, snapshot }: Planned<Live>): ObjectName[] {
  const plans = members.filter(({ member }) => member.adopt);
  const adopted = plans.map(({ member }) => member);
  if (adopted.length === 0) {
    return [];
  }
  const homes = new Set(adopted.map(namespaceName));
  const names = new Set(adopted.map(({ name }) => name));
  const usernames = new Set(adopted.map(({ username }) => username));
  const doors = new Set(
    adopted.flatMap((member) => [
      objectKey("Ingress", ingressName(member), settings.route.namespace),
      objectKey("Service", serviceName(member), settings.route.namespace),
    ]),
  );
  const declared = new Set(plans.flatMap((plan) => plan.declared.map(keyOf)));
  const labelled = (labels: Labels) =>
    names.has(labels["app.kubernetes.io/instance"] ?? "") && labels["app.kubernetes.io/managed-by"] !== "Helm";
  const isUnmanaged = (
    key: string,
    { kind, name, namespace }: ObjectName,
    live: Pick<ManagedObject, "labels" | "content">,
  ) => {
    if (declared.has(key) || isKubecamps(live.labels)) {
      return false;
    }
    switch (kind) {
      case "ClusterRole":
      case "Deployment":
      case "Namespace":
        return false;
      case "ConfigMap":
        return homes.has(namespace ?? "") && !isOfStarter({ kind, name });
      case "ClusterRoleBinding":
        return labelled(live.labels) || usersOf(live.content).some((user) => usernames.has(user));
      case "Ingress":
      case "Service":
        return namespace === settings.route.namespace && (doors.has(key) || labelled(live.labels));
      default:
        return homes.has(namespace ?? "");
    }
  };
  return [
    ...snapshot.managedObjects,
    ...[...snapshot.services].map(([key, { labels }]) => [`Service ${key}`, { labels, content: {} }] as const),
  ]
    .map(([key, live]) => ({ key, live, object: objectNameOf(key) }))
    .filter(({ key, live, object }) => isUnmanaged(key, object, live))
    .map(({ object }) => object)
    .sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

/** One warning for all of them, with a command for each namespace; none when there are none. */
export function unmanagedObjectsWarning(plan: Planned<Live>): string | undefined {
  const byNamespace = Map.groupBy(unmanagedObjects(plan), ({ namespace }) => namespace);
  const commands = [...byNamespace.values()].map((objects) => `  ${kubectlDelete(objects)}`);
  return commands.length === 0
    ? undefined
    : [
        "Not kubecamp's, left as they are, and still guarding or opening something for members with adopt. Look at them",
        "once 'pulumi up' is through, and delete what nobody needs before you take adopt off:",
        ...commands,
      ].join("\n");
}

/**
 * Where adopt has nothing left to do it is a risk: a member who is added later would take over whatever namespace has
 * their name.
 */
export function idleWarning(plan: Planned<Live>): string | undefined {
  const { members, snapshot } = plan;
  const adopted = members.filter(({ member }) => member.adopt);
  const isIdle =
    snapshot.unread === undefined &&
    adopted.length > 0 &&
    adopted.every((each) => takenOver(each, snapshot).length === 0) &&
    unmanagedObjects(plan).length === 0;
  return isIdle
    ? `Nothing is left to take over, and adopt is still set for ${firstOf(
        adopted.map(({ member }) => member.name),
        5,
      )}: take it off, so that it never takes over a namespace by accident.`
    : undefined;
}

function isKubecamps(labels: Labels): boolean {
  return labels[stackLabel] !== undefined || labels[memberLabel] !== undefined;
}

function usersOf({ subjects }: Readonly<Record<string, unknown>>): string[] {
  const list = (subjects ?? []) as readonly { kind: string; name: string }[];
  return list.filter(({ kind }) => kind === "User").map(({ name }) => name);
}

/** By namespace, the cluster's own first. */
function order({ kind, name, namespace = "" }: ObjectName): string {
  return [namespace, kind, name].join("\0");
}
