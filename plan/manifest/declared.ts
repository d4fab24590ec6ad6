import { guardKey, type ObjectName } from "../../cluster/read/snapshot.ts";
import { hasQuota, othersViews } from "../../config/model/memberTypes.ts";
import type { Member, Settings } from "../../config/model/settings.ts";
import type { Declared } from "../compare/drift.ts";
import { isCosiKind } from "../decisions/buckets/cosi.ts";
import { withImage } from "../decisions/starter/image.ts";
import { policyObjects } from "../objects/admission/policies.ts";
import { bucketObjectsOf } from "../objects/buckets/bucketObjects.ts";
import { clusterRole } from "../objects/clusterRole.ts";
import { clusterRoleBinding } from "../objects/clusterRoleBinding.ts";
import { limitRange } from "../objects/limitRange.ts";
import { namespace } from "../objects/namespace.ts";
import { networkPolicy } from "../objects/networkPolicy.ts";
import { resourceQuota } from "../objects/resourceQuota.ts";
import { role } from "../objects/role.ts";
import { roleBinding } from "../objects/roleBinding.ts";
import type { RouteObject } from "../objects/route/routeObject.ts";
import { routeObjects } from "../objects/route/routeObjects.ts";
import { serviceAccount } from "../objects/serviceAccount.ts";
import { starterDeployment } from "../objects/starter/starterDeployment.ts";
import { starterPages } from "../objects/starter/starterPages.ts";

/** An object as a run declares it, but for the annotation that tells what was applied. */
export interface DeclaredObject {
  readonly kind: RouteObject["kind"];
  /** As `guardKey` has it. */
  readonly key: string;
  readonly args: Declared;
}

/**
 * What stands whether or not the route is open, in the order of what depends on what.
 * @param hasStarter whether a starter app was made for them, as their role says
 * @param starterImage what that was made once with
 */
export function baseOf(
  member: Member,
  settings: Settings,
  hasStarter: boolean,
  starterImage?: string,
): DeclaredObject[] {
  const { type, standing } = member;
  const objects = [
    declared("Namespace", namespace(withImage(member, starterImage), settings)),
    declared("LimitRange", limitRange(member, settings)),
    declared("NetworkPolicy", networkPolicy(member, settings)),
    declared("Role", role(member, settings, hasStarter, starterImage)),
    declared("ServiceAccount", serviceAccount(member, settings)),
  ];
  if (hasQuota(member)) {
    objects.push(declared("ResourceQuota", resourceQuota(member, settings)));
  }
  if (standing === "active") {
    objects.push(declared("RoleBinding", roleBinding(member, settings)));
  }
  if (standing === "active" && type.others !== "none") {
    objects.push(declared("ClusterRoleBinding", clusterRoleBinding(member, type.others, settings)));
  }
  return objects;
}

/** What a starter app consists of when it is made, beside the Service; nothing for a member who is to have none. */
export function starterOf(member: Member, settings: Settings): DeclaredObject[] {
  const { mode } = member.starter ?? {};
  return mode === undefined
    ? []
    : [
        declared("ConfigMap", starterPages(member, mode, settings)),
        declared("Deployment", starterDeployment(member, mode, settings)),
      ];
}

/** What says in their namespace how their buckets are reached: of that, nothing but the metadata is watched. */
export function bucketsOf(member: Member, settings: Settings): DeclaredObject[] {
  return bucketObjectsOf(member, settings).flatMap(({ kind, metadata }) =>
    // Members can't touch those, and nobody asks about them.
    isCosiKind(kind) ? [] : [declared(kind, { metadata })],
  );
}

/** What the route consists of when it is open; nothing for a member who is to have none. */
export function routeOf(member: Member, settings: Settings): DeclaredObject[] {
  return member.route === undefined
    ? []
    : routeObjects(member, member.route, settings).map(({ part: _, apiVersion: __, kind, ...args }) =>
        declared(kind, args),
      );
}

/** What a stack has once. */
export function sharedOf(settings: Settings): DeclaredObject[] {
  return [
    ...othersViews.map((view) => declared("ClusterRole", clusterRole(view, settings))),
    ...policyObjects(settings).map(({ kind, args }) => declared(kind, args)),
  ];
}

function declared(kind: DeclaredObject["kind"], args: Declared): DeclaredObject {
  const { name, namespace } = args.metadata;
  return { kind, key: guardKey(kind as ObjectName["kind"], name, namespace), args };
}
