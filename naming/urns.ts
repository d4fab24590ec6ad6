/**
 * Whose a resource of Pulumi's state is; undefined for what members share.
 * @see https://www.pulumi.com/docs/iac/concepts/resources/names/#urns
 */
export function memberOf(urn: string): string | undefined {
  const [, , types = "", name = ""] = urn.split("::");
  return /^kubecamp:index:MemberEnvironment($|\$)/.test(types) ? name.split("/")[0] : undefined;
}

/** The name that a run has registered a resource under, such as `bob/namespace`. */
export const logicalNameIn = (urn: string) => urn.split("::").slice(3).join("::");

/** What the URNs of a stack begin with. */
export const urnStart = (stack: string) => `urn:pulumi:${stack}::`;

/** Pulumi's type of an object on the cluster, such as `kubernetes:core/v1:Namespace`. */
export const typeOf = ({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }) =>
  `kubernetes:${apiVersion.replace(/^v1$/, "core/v1")}:${kind}`;
