import { ciAccountName, serviceAccountName } from "../../../naming/names.ts";
import { broken } from "../invariants.ts";
import type { GateObject, Judge } from "../object.ts";
import { shown } from "../values.ts";

const enforce = "pod-security.kubernetes.io/enforce";
const standards: readonly unknown[] = ["baseline", "restricted"];

/**
 * Requires the standard of the member's type, in a version that no cluster upgrade changes.
 * @see
 * https://kubernetes.io/docs/concepts/security/pod-security-admission/#pod-security-admission-labels-for-namespaces
 */
export const podSecurity: Judge = ({ kind, labels, member }) => {
  if (kind !== "Namespace" || member === undefined) {
    return [];
  }
  const standard = labels[enforce];
  const version = labels[`${enforce}-version`];
  const expected = member.type.podSecurity;
  return [
    ...(standard === expected && standards.includes(standard)
      ? []
      : [
          broken(
            "pod-security",
            `metadata.labels['${enforce}']`,
            `is ${shown(standard)} instead of '${expected}', which type '${member.type.name}' has`,
          ),
        ]),
    ...(/^v1\.\d+$/.test(String(version))
      ? []
      : [
          broken(
            "pod-security",
            `metadata.labels['${enforce}-version']`,
            `is ${shown(version)}, and not pinned as 'v1.36' is`,
          ),
        ]),
  ];
};

/** @see https://kubernetes.io/docs/tasks/configure-pod-container/configure-service-account/#opt-out-of-api-credential-automounting */
export const noTokens: Judge = ({ kind, name, member, args: { automountServiceAccountToken: mounts } }) =>
  kind === "ServiceAccount" && !(isKnown(name, member) && mounts === false)
    ? [broken("no-tokens", "automountServiceAccountToken", `is ${shown(mounts)} of '${name}' instead of false`)]
    : [];

const isKnown = (name: string, member: GateObject["member"]) =>
  name === serviceAccountName || (name === ciAccountName && member?.ci?.token === true);
