import { homeNames, serviceName } from "../../../naming/names.ts";
import { manifestKind } from "../../model/members/customKinds.ts";
import type { GivenObject, Member } from "../../model/members/member.ts";

/** Kubernetes puts one of this name into every namespace. */
const rootCa = "kube-root-ca.crt";

/** Names of most kinds: labels with dots between them. */
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** Reasons why an object can't have its name. */
export function nameProblems({ kind, name }: GivenObject, member: Member): string[] {
  const own =
    homeNames.some((each) => each.kind === kind && each.name === name) ||
    (kind === "Service" && name === serviceName(member)) ||
    ((kind === "ConfigMap" || kind === "Secret") && (member.buckets ?? []).some((bucket) => bucket.name === name));
  const isNames = kind === "Service" ? /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/ : subdomain;
  // A CronJob's Jobs have its name and eleven characters more, in a label.
  const most = kind === "CronJob" ? 52 : 253;
  return [
    ...(isNames.test(name)
      ? []
      : [
          `metadata.name: '${name}' can't be the name of a ${manifestKind(kind)}: a-z, 0-9 and '-', starting with a letter`,
        ]),
    ...(name.length <= most
      ? []
      : [
          `metadata.name: '${name}' has ${name.length} characters; the name of a ${manifestKind(kind)} has ${most} at most`,
        ]),
    ...(own ? [`metadata.name: kubecamp itself creates a ${kind} '${name}'; choose another name`] : []),
    ...(kind === "ConfigMap" && name === rootCa
      ? [`metadata.name: Kubernetes itself creates a ConfigMap '${rootCa}'; choose another name`]
      : []),
  ];
}
