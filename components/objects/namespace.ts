import type { Member, Settings } from "../../config/settings.ts";
import { memberLabels, protectedLabel } from "../../naming/labels.ts";
import { namespaceName } from "../../naming/names.ts";

/** Pinned, so that an upgrade of the cluster never changes what a member may run from one day to the next. */
const podSecurityVersion = "v1.36";

/**
 * A member's namespace, with the Pod Security Standard that its type has.
 * @see https://kubernetes.io/docs/concepts/security/pod-security-admission/
 */
export function namespace(member: Member, settings: Settings) {
  return {
    metadata: {
      name: namespaceName(member),
      labels: {
        ...memberLabels(member, settings),
        ...(member.protect ? { [protectedLabel]: "true" } : {}),
        "pod-security.kubernetes.io/enforce": member.type.podSecurity,
        "pod-security.kubernetes.io/enforce-version": podSecurityVersion,
        "pod-security.kubernetes.io/warn": "restricted",
        "pod-security.kubernetes.io/warn-version": podSecurityVersion,
      },
    },
  };
}
