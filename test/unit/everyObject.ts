import type { Member } from "../../config/member/member.ts";
import { othersViews } from "../../config/member/types.ts";
import { givenEntry } from "../../config/objects/givenKinds.ts";
import type { Settings } from "../../config/settings.ts";
import { staffRoles } from "../../config/staff.ts";
import { fillIn, fillInBinding } from "../../objects/admission/confined/fillIn.ts";
import { bucketObjects } from "../../objects/buckets/bucketObjects.ts";
import { givenObject } from "../../objects/givenObject.ts";
import { limitRange } from "../../objects/limitRange.ts";
import { namespace } from "../../objects/namespace.ts";
import { networkPolicy } from "../../objects/networkPolicy.ts";
import { clusterRoleBinding, roleBinding } from "../../objects/rbac/bindings.ts";
import { ciAccount, ciBinding, ciTokenBinding, ciTokenRole } from "../../objects/rbac/ci.ts";
import { clusterRole } from "../../objects/rbac/clusterRole.ts";
import { role } from "../../objects/rbac/role.ts";
import { staffBinding, staffRole } from "../../objects/rbac/staff.ts";
import { resourceQuota } from "../../objects/resourceQuota.ts";
import { backendCaSecret } from "../../objects/route/drivers/drivers.ts";
import { serviceAccount } from "../../objects/serviceAccount.ts";
import { starterDeployment } from "../../objects/starter/starterDeployment.ts";
import { starterPages } from "../../objects/starter/starterPages.ts";
import { policiesOf } from "./policies.ts";
import { routeObjects } from "./routeObjects.ts";

/** An object as it is sent to the API server. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

const admission = "admissionregistration.k8s.io/v1";
const rbac = "rbac.authorization.k8s.io/v1";
const networking = "networking.k8s.io/v1";

/** Every object that a member can come to have, whatever their standing is and whether their route is open. */
export function everyObject(member: Member, settings: Settings): KubernetesObject[] {
  const { route, starter, staff, ci, type, objects = [] } = member;
  return [
    { apiVersion: "v1", kind: "Namespace", ...namespace(member, settings) },
    { apiVersion: "v1", kind: "LimitRange", ...limitRange(member, settings) },
    { apiVersion: "v1", kind: "ResourceQuota", ...resourceQuota(member, settings) },
    { apiVersion: networking, kind: "NetworkPolicy", ...networkPolicy(member, settings) },
    { apiVersion: "v1", kind: "ServiceAccount", ...serviceAccount(member, settings) },
    { apiVersion: rbac, kind: "Role", ...role(member, settings, { hasStarter: starter !== undefined }) },
    { apiVersion: rbac, kind: "RoleBinding", ...roleBinding(member, settings) },
    ...(type.others === "none"
      ? []
      : [{ apiVersion: rbac, kind: "ClusterRoleBinding", ...clusterRoleBinding(member, type.others, settings) }]),
    ...(starter === undefined
      ? []
      : [
          { apiVersion: "v1", kind: "ConfigMap", ...starterPages(member, starter.mode, settings) },
          { apiVersion: "apps/v1", kind: "Deployment", ...starterDeployment(member, starter.mode, settings) },
        ]),
    ...staffRoles
      .filter((role) => staff?.[role] !== undefined)
      .flatMap((role) => [
        ...(role === "edit" ? [] : [{ apiVersion: rbac, kind: "Role", ...staffRole(member, role, settings) }]),
        { apiVersion: rbac, kind: "RoleBinding", ...staffBinding(member, role, settings) },
      ]),
    ...(ci === undefined ? [] : [{ apiVersion: rbac, kind: "RoleBinding", ...ciBinding(member, settings) }]),
    ...(ci?.token === true
      ? [
          { apiVersion: "v1", kind: "ServiceAccount", ...ciAccount(member, settings) },
          { apiVersion: rbac, kind: "Role", ...ciTokenRole(member, settings) },
          { apiVersion: rbac, kind: "RoleBinding", ...ciTokenBinding(member, settings) },
        ]
      : []),
    ...objects.map((object) => {
      const { kind } = object;
      return { apiVersion: givenEntry(kind).apiVersion, kind, ...givenObject(object, member, settings) };
    }),
    ...bucketObjectsOf(member, settings).map(({ part: _, ...object }) => object),
    ...(route === undefined ? [] : routeObjects(member, route, settings).map(({ part: _, ...object }) => object)),
  ];
}

/** Objects in a member's namespace for all of their buckets. */
export const bucketObjectsOf = (member: Member, settings: Settings) =>
  (member.buckets ?? []).flatMap((bucket) => bucketObjects(member, bucket, settings));

/** Objects that members share. */
export function sharedObjects(settings: Settings): KubernetesObject[] {
  const secret = backendCaSecret(settings);
  return [
    ...policiesOf(settings).flatMap(({ policy, binding }) => [
      { apiVersion: admission, kind: "ValidatingAdmissionPolicy", ...policy },
      { apiVersion: admission, kind: "ValidatingAdmissionPolicyBinding", ...binding },
    ]),
    ...(settings.confinement?.fillsIn === true
      ? [
          { apiVersion: admission, kind: "MutatingAdmissionPolicy", ...fillIn(settings) },
          { apiVersion: admission, kind: "MutatingAdmissionPolicyBinding", ...fillInBinding(settings) },
        ]
      : []),
    ...othersViews.map((view) => ({ apiVersion: rbac, kind: "ClusterRole", ...clusterRole(view, settings) })),
    ...(secret === undefined ? [] : [{ apiVersion: "v1", kind: "Secret", ...secret }]),
  ];
}
