import { manifestKind } from "../config/model/members/customKinds.ts";

/**
 * The member that a resource in Pulumi's state belongs to; undefined for resources that members share.
 * @see https://www.pulumi.com/docs/iac/concepts/resources/names/#urns
 */
export function memberOf(urn: string): string | undefined {
  const [, , types = "", name = ""] = urn.split("::");
  return /^kubecamp:index:MemberEnvironment($|\$)/.test(types) ? name.split("/")[0] : undefined;
}

/** The logical name of a resource, such as `bob/namespace`. */
export const logicalNameIn = (urn: string) => urn.split("::").slice(3).join("::");

/** Prefix of the URNs of a stack. */
export const urnStart = (stack: string) => `urn:pulumi:${stack}::`;

/** Pulumi's type of an object on the cluster, such as `kubernetes:core/v1:Namespace`. */
export const typeOf = ({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }) =>
  `kubernetes:${apiVersion.replace(/^v1$/, "core/v1")}:${manifestKind(kind)}`;
