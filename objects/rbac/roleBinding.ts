import type { Member } from "../../config/member/member.ts";
import { roleName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { metadataOf } from "../metadata.ts";
import { subjects } from "./subjects.ts";

/**
 * The key to a member's own namespace. A binding's `roleRef` is immutable, so the role is part of the name.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/rbac/#rolebinding-and-clusterrolebinding
 */
export function roleBinding(member: Member, settings: Settings) {
  const role = roleName(member.type.home);
  return {
    metadata: metadataOf(role, member, settings),
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: role },
    subjects: subjects(member),
  };
}
