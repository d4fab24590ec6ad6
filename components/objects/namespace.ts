import type { Member, Settings } from "../../config/settings.ts";
import {
  expiresLabel,
  memberLabels,
  protectedLabel,
  routeLabel,
  standingLabel,
  traitsLabel,
  traitsText,
  typeLabel,
} from "../../naming/labels.ts";
import { namespaceName } from "../../naming/names.ts";

/** Pinned, so that an upgrade of the cluster never changes what a member may run from one day to the next. */
const podSecurityVersion = "v1.36";

/**
 * A member's namespace, with the Pod Security Standard that its type has, and what lists of members show.
 * @see https://kubernetes.io/docs/concepts/security/pod-security-admission/
 */
export function namespace(member: Member, settings: Settings) {
  return {
    metadata: {
      name: namespaceName(member),
      labels: {
        ...memberLabels(member, settings),
        [typeLabel]: member.type.name,
        [traitsLabel]: traitsText(member.type),
        [standingLabel]: member.standing,
        ...(member.expires === undefined ? {} : { [expiresLabel]: member.expires }),
        ...(member.route === undefined ? { [routeLabel]: "none" } : {}),
        ...(member.protect ? { [protectedLabel]: "true" } : {}),
        "pod-security.kubernetes.io/enforce": member.type.podSecurity,
        "pod-security.kubernetes.io/enforce-version": podSecurityVersion,
        "pod-security.kubernetes.io/warn": "restricted",
        "pod-security.kubernetes.io/warn-version": podSecurityVersion,
      },
    },
  };
}
