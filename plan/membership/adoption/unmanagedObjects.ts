import type { RbacV1Subject } from "@kubernetes/client-node";
import { compare } from "../../../cluster/kinds/compare.ts";
import {
  type ClusterSnapshot,
  contentOf,
  type Found,
  keyOf,
  type ObjectName,
  objectKey,
} from "../../../cluster/read/snapshot.ts";
import { ingressName, namespaceName, serviceName } from "../../../naming/names.ts";
import { type Unplanned, unplanned } from "../../compare/classify.ts";
import { isOfStarter } from "../../decisions/starter/names.ts";
import type { Finding } from "../../messages/finding.ts";
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
  const planned = new Set(plans.flatMap(({ declared }) => declared.map(keyOf)));
  const isNamed = (labels: Labels) =>
    names.has(labels["app.kubernetes.io/instance"] ?? "") && labels["app.kubernetes.io/managed-by"] !== "Helm";
  const isConcerned = ({ object, live }: Unplanned) => {
    const { kind, name, namespace = "" } = object;
    switch (kind) {
      case "ClusterRole":
      case "Deployment":
      case "Namespace":
        return false;
      case "ConfigMap":
        return homes.has(namespace) && !isOfStarter({ kind, name });
      case "ClusterRoleBinding":
        return isNamed(live.labels) || usersOf(live).some((user) => usernames.has(user));
      case "Ingress":
      case "Service":
        return namespace === settings.route.namespace && (doors.has(keyOf(object)) || isNamed(live.labels));
      default:
        return homes.has(namespace);
    }
  };
  return unplanned(planned, snapshot)
    .filter((each) => each.standing === "strange" && isConcerned(each))
    .map(({ object }) => object)
    .sort((a, b) => compare(order(a), order(b)));
}

export const unmanaged = (plan: Planned<Live>): Finding<"unmanaged">[] =>
  unmanagedObjects(plan).map((name) => ({ code: "unmanaged", object: keyOf(name), facts: { name } }));

/**
 * Where adopt has nothing left to do it is a risk: a member who is added later would take over whatever namespace has
 * their name.
 */
export function idleAdoption(plan: Planned<Live>): Finding<"idleAdoption">[] {
  const { members, snapshot } = plan;
  const adopted = members.filter(({ member }) => member.adopt);
  const isIdle =
    snapshot.unread === undefined &&
    adopted.length > 0 &&
    adopted.every((each) => takenOver(each).length === 0) &&
    unmanagedObjects(plan).length === 0;
  return isIdle ? [{ code: "idleAdoption", facts: { members: adopted.map(({ member }) => member.name) } }] : [];
}

function usersOf(live: Found): string[] {
  const { subjects } = contentOf(live) as { subjects?: readonly RbacV1Subject[] | null };
  return (subjects ?? []).filter(({ kind }) => kind === "User").map(({ name }) => name);
}

/** By namespace, the cluster's own first. */
function order({ kind, name, namespace = "" }: ObjectName): string {
  return [namespace, kind, name].join("\0");
}
