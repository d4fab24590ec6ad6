import { isWrittenByMembers } from "../../../cluster/kinds/stackKinds.ts";
import { hostPathsOf } from "../../../cluster/read/hostPaths.ts";
import { kubectlDelete } from "../../../cluster/read/kubectl.ts";
import { portInTheWay } from "../../../cluster/read/services.ts";
import {
  type ClusterSnapshot,
  keyOf,
  type LiveObject,
  type ManagedKind,
  type ManagedObject,
  serviceKey,
} from "../../../cluster/read/snapshot.ts";
import type { Member, Settings } from "../../../config/model/settings.ts";
import { namespaceName } from "../../../naming/names.ts";
import { foreign, isOurs } from "../../compare/foreign.ts";
import { isOfBuckets } from "../../decisions/buckets/names.ts";
import { liveOf } from "../../manifest/memberObjects.ts";
import type { ReadObject } from "../../manifest/row.ts";
import type { MemberPlan } from "../../memberPlan.ts";
import type { Planned } from "../../plan.ts";
import { isDoor } from "../../routes/drivers/drivers.ts";

type Live = Pick<ClusterSnapshot, "managedObjects" | "services" | "ingresses" | "clusterRoleBindings">;

/** What a run takes over: what it declares for a member with `adopt`, is there already, and is not ours. */
export function takenOver(
  { member, settings, declared }: MemberPlan,
  snapshot: Pick<Live, "managedObjects" | "services">,
): ReadObject[] {
  // The ServiceAccount is nobody's: Kubernetes makes it with the namespace. What buckets come with can't be taken over.
  const isNone = (object: ReadObject) => object.kind === "ServiceAccount" || isOfBuckets(object, member, settings);
  return (member.adopt ? declared : []).filter((object) => {
    const live = isNone(object) ? undefined : liveOf(object, snapshot);
    return live !== undefined && !isOurs(live, settings);
  });
}

/**
 * What stands in the way of taking over what is under a member's names. Server-side apply makes nearly everything as it
 * is declared; where it can't, the plugin would fail in the middle of the run, or replace the object and so delete it.
 */
export function takeoverObstacles(plan: MemberPlan, snapshot: Live): string[] {
  const { member, settings, declared } = plan;
  const home = namespaceName(member);
  return [
    // What members can make themselves stops nobody's run: it is for who plans it to leave it out.
    ...declared
      .filter((object) => object.namespace === home && !isWrittenByMembers(object))
      .flatMap((object) => foreign(named(object), liveOf(object, snapshot), settings, member)),
    ...takenOver(plan, snapshot).flatMap((object) => {
      if (isLeaving(object, snapshot)) {
        return [`${named(object)} is being deleted; wait until it is gone, then run again`];
      }
      const fixed = fixedPart(object, settings, snapshot);
      return fixed === undefined ? [] : [`${named(object)} ${fixed}, then run again`];
    }),
  ];
}

/** One warning for all that is taken over; none when nothing is. */
export function takeoverWarning({ members, snapshot }: Planned<Live>): string | undefined {
  const lines = members.flatMap((plan) => {
    const { member } = plan;
    const objects = takenOver(plan, snapshot);
    const names = objects.map((object) => keyOf(object) + closedPaths(object, member, snapshot.managedObjects));
    return names.length === 0 ? [] : [`  ${member.name}: ${names.join(", ")}`];
  });
  return lines.length === 0
    ? undefined
    : ["Taken over (adopt) by 'pulumi up', as they stand, without being deleted or made anew:", ...lines].join("\n");
}

function named({ kind, name, namespace }: ReadObject): string {
  return `${kind} '${namespace === undefined ? name : `${namespace}/${name}`}'`;
}

/** What is on its way out goes all the same when it is taken over. A namespace's own end is for all to wait for. */
function isLeaving({ kind, name, namespace = "" }: ReadObject, snapshot: Live): boolean {
  const found: Partial<Record<ManagedKind | "Service", LiveObject | undefined>> = {
    ClusterRoleBinding: snapshot.clusterRoleBindings.get(name),
    Ingress: snapshot.ingresses.get(name),
    Service: snapshot.services.get(serviceKey(namespace, name)),
  };
  return found[kind]?.terminating === true;
}

/** What of a live object can't be made as it is declared, if anything, and the way out. */
function fixedPart(object: ReadObject, settings: Settings, { managedObjects, services }: Live): string | undefined {
  const { kind, name, namespace = "", role } = object;
  const content = managedObjects.get(keyOf(object))?.content;
  const spec = content?.spec as { scopes?: unknown[]; scopeSelector?: object } | undefined;
  const roleRef = content?.roleRef as { kind: string; name: string } | undefined;
  // Of the one at home, every field that is fit stays (plan/decisions/managedService.ts).
  const isTwin = kind === "Service" && namespace === settings.route.namespace;
  const service = isTwin ? services.get(serviceKey(namespace, name)) : undefined;
  const remove = `; delete it if nobody needs it ('${kubectlDelete([object])}')`;
  if (role !== undefined && (roleRef?.kind !== role.kind || roleRef.name !== role.name)) {
    return `is to the ${roleRef?.kind} '${roleRef?.name}', and no binding can be changed to another${remove}`;
  }
  if (kind === "ResourceQuota" && (spec?.scopes !== undefined || spec?.scopeSelector !== undefined)) {
    return `has scopes, which nobody can take off${remove}`;
  }
  if (service !== undefined && service.type !== "ExternalName") {
    return `is of type ${service.type}, and would lose its address${remove}`;
  }
  const port = service === undefined ? undefined : portInTheWay(service, settings);
  return port === undefined
    ? undefined
    : `has port ${port} without a name of its own; give it one ('kubectl edit service ${name} -n ${namespace}')`;
}

/** An Ingress or HTTPRoute that led to more than the member's path leads to that path alone once it is taken over. */
function closedPaths(
  object: ReadObject,
  { route }: Member,
  managedObjects: ReadonlyMap<string, ManagedObject>,
): string {
  const content = isDoor(object) ? managedObjects.get(keyOf(object))?.content : undefined;
  const closed = hostPathsOf(content ?? {})
    .map(({ host, path }) => host + path)
    .filter((place) => route === undefined || place !== route.host + route.path);
  return closed.length === 0 ? "" : ` (no longer at ${closed.join(" and ")})`;
}
