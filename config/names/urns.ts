import { manifestKind } from "./customKinds.ts";

/** Pulumi's types of a member's component, and of the one that members share. */
export const environmentType = "kubecamp:index:MemberEnvironment";
export const accessType = "kubecamp:index:ClusterAccess";

export const bucketType = "kubecamp-buckets:index:Bucket";
export const bucketUserType = "kubecamp-buckets:index:BucketUser";
/** The function of their plugin that lists buckets to be deleted. */
export const leavingFunction = "kubecamp-buckets:index:leaving";

/** Pulumi's types of a stack and of its providers. */
export const stackType = "pulumi:pulumi:Stack";
export const storageProviderType = "pulumi:providers:kubecamp-buckets";

export const isProviderType = (type: string) => type.startsWith("pulumi:providers:");
export const isStorageType = (type: string) => type.startsWith("kubecamp-buckets:");
export const isStackUrn = (urn = "") => urn.includes(`::${stackType}::`);

const environmentTypes = new RegExp(`^${environmentType}($|\\$)`);

/** The member that a resource in Pulumi's state belongs to; undefined for what members share. */
export function memberOf(urn: string): string | undefined {
  const [, , types = "", name = ""] = urn.split("::");
  return environmentTypes.test(types) ? name.split("/")[0] : undefined;
}

export const logicalNameIn = (urn: string) => urn.split("::").slice(3).join("::");

const urnStart = (stack: string) => `urn:pulumi:${stack}::`;

/** Pulumi's type of an object on the cluster, such as `kubernetes:core/v1:Namespace`. */
export const typeOf = ({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }) =>
  `kubernetes:${apiVersion.replace(/^v1$/, "core/v1")}:${manifestKind(kind)}`;

/** URN of a resource in a member's component. @param logical such as `bob/bucket/data` */
export const memberUrn = (type: string, logical: string, stack: string) =>
  `${urnStart(stack)}kubecamp::${environmentType}$${type}::${logical}`;
