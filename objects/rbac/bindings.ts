import type { Member } from "../../config/member/member.ts";
import type { OthersView } from "../../config/member/types.ts";
import { memberLabels } from "../../config/names/labels.ts";
import { clusterRoleBindingName, clusterRoleName, roleName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { goneAtOnce } from "../deletion.ts";
import { metadataOf } from "../metadata.ts";
import { rbac, subjects } from "./subjects.ts";

/**
 * The key to a member's own namespace. A binding's `roleRef` is immutable, so the role is part of the name.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/rbac/#rolebinding-and-clusterrolebinding
 */
export function roleBinding(member: Member, settings: Settings) {
  const role = roleName(member.type.home);
  return {
    metadata: metadataOf(role, member, settings),
    roleRef: { apiGroup: rbac, kind: "Role", name: role },
    subjects: subjects(member),
  };
}

export const clusterRoleBinding = (member: Member, view: OthersView, settings: Settings) => ({
  metadata: {
    name: clusterRoleBindingName(member, view, settings),
    labels: memberLabels(member, settings),
    annotations: goneAtOnce,
  },
  roleRef: { apiGroup: rbac, kind: "ClusterRole", name: clusterRoleName(view, settings) },
  subjects: subjects(member),
});
