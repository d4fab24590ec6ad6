import type { Member } from "../../config/member/member.ts";
import type { OthersView } from "../../config/member/types.ts";
import { memberLabels } from "../../config/names/labels.ts";
import { clusterRoleBindingName, clusterRoleName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { goneAtOnce } from "../deletion.ts";
import { subjects } from "./subjects.ts";

/**
 * A member's view of others. A binding's `roleRef` is immutable, so the role is part of the name.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/rbac/#rolebinding-and-clusterrolebinding
 */
export function clusterRoleBinding(member: Member, view: OthersView, settings: Settings) {
  return {
    metadata: {
      name: clusterRoleBindingName(member, view, settings),
      labels: memberLabels(member, settings),
      annotations: goneAtOnce,
    },
    roleRef: {
      apiGroup: "rbac.authorization.k8s.io",
      kind: "ClusterRole",
      name: clusterRoleName(view, settings),
    },
    subjects: subjects(member),
  };
}
