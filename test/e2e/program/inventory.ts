import { admissionPolicies } from "../../../config/names/names.ts";
import type { ApiReader } from "../support/cluster/apiClient.ts";
import { discover, pathOf, type Resource } from "../support/cluster/discovery.ts";
import type { TestSandbox } from "../support/sandbox.ts";

/** An object as the API server returns it. */
export interface LiveObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Record<string, string>;
    readonly annotations?: Record<string, string>;
    readonly [key: string]: unknown;
  };
  readonly [key: string]: unknown;
}

/** Kinds that the control plane makes and deletes by itself at any time. */
const restless =
  /^(events|leases|componentstatuses|endpoints|endpointslices|pods|replicasets|nodes|csinodes|flowschemas|prioritylevel|ipaddresses)/;

const whole = "application/json";
/** Only metadata: policies, roles and definitions are large. */
const inPart = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

/**
 * Every object on the cluster, of every kind that can be listed except the restless ones.
 * @param accept whether it is whole, or has only its metadata
 */
export async function everything({ read }: TestSandbox, accept = whole): Promise<LiveObject[]> {
  return (await Promise.all((await kindsOf(read)).map((kind) => listed(read, kind, accept)))).flat();
}

/**
 * Deletes stacks' objects without Pulumi, which saves seconds of CPU. It does not wait until the namespaces are gone: a
 * caller that needs an empty cluster waits itself.
 */
export async function removeStacks({ read, remove }: TestSandbox): Promise<void> {
  const found = (await kindsOf(read)).map(async (kind) => {
    // A suite may just have removed the kind's definition, and its objects with it.
    const objects = await listed(read, kind, inPart, "?labelSelector=kubecamp.dev/stack").catch(noneIfUnknown);
    return objects.map(({ metadata: { name, namespace } }) => pathOf(kind, namespace, name));
  });
  await Promise.all((await Promise.all(found)).flat().map((path) => remove(path)));
}

function noneIfUnknown(error: unknown): LiveObject[] {
  if (/404 page not found/.test(String(error))) {
    return [];
  }
  throw error;
}

/** All that can be listed except the restless ones. */
export async function kindsOf(read: ApiReader): Promise<Resource[]> {
  return (await discover(read)).filter(({ resource, verbs }) => verbs.includes("list") && !restless.test(resource));
}

/** Adds apiVersion and kind to each item: a list has them only once. */
async function listed(read: ApiReader, kind: Resource, accept: string, query = ""): Promise<LiveObject[]> {
  const list = JSON.parse(await read(`${pathOf(kind)}${query}`, accept)) as { items: LiveObject[] | null };
  // An empty list of metadata has none.
  return (list.items ?? []).map((item) => ({ ...item, apiVersion: kind.apiVersion, kind: kind.kind }));
}

export const nameOf = ({ kind, metadata }: LiveObject) =>
  metadata.namespace === undefined ? `${kind} ${metadata.name}` : `${kind} ${metadata.namespace}/${metadata.name}`;

/**
 * Every object on the cluster by name, without `status`, which controllers write at any time.
 * @param revision of etcd, at most five minutes old. Default: the newest
 */
export async function writtenObjects(
  { read }: TestSandbox,
  kinds: readonly Resource[],
  revision?: string,
): Promise<ReadonlyMap<string, object>> {
  const query = revision === undefined ? "" : `?resourceVersion=${revision}&resourceVersionMatch=Exact`;
  const objects = (await Promise.all(kinds.map((kind) => listed(read, kind, whole, query)))).flat();
  return new Map(objects.map((it) => [nameOf(it), withoutStatus(it)]));
}

/** A write of `status` also changes the resourceVersion, and the writer's entry among the managed fields. */
function withoutStatus({ status: _, metadata, ...rest }: LiveObject): object {
  const { resourceVersion, managedFields, ...kept } = metadata;
  const fields = (managedFields ?? []) as readonly { readonly subresource?: string }[];
  return {
    ...rest,
    metadata: { ...kept, managedFields: fields.filter(({ subresource }) => subresource !== "status") },
  };
}

/** The names of every object on the cluster, in alphabetical order. */
export async function inventory(sandbox: TestSandbox): Promise<string[]> {
  return (await everything(sandbox, inPart)).map(nameOf).sort();
}

/** Names of the policies that every stack has, whoever its members are. */
export function guardsOf(stack: string): string[] {
  return admissionPolicies.flatMap((policy) => [
    `ValidatingAdmissionPolicy kubecamp-${policy}-${stack}`,
    `ValidatingAdmissionPolicyBinding kubecamp-${policy}-${stack}`,
  ]);
}

/** The object as a person would write it, without additions of the API server, its controllers and kubecamp's marks. */
export function declared({ status: _, metadata, ...rest }: LiveObject) {
  const { uid, resourceVersion, creationTimestamp, generation, managedFields, annotations, ...kept } = metadata;
  const { "kubecamp.dev/applied": __, "kubecamp.dev/unseen": ___, ...written } = annotations ?? {};
  return { ...rest, metadata: Object.keys(written).length > 0 ? { ...kept, annotations: written } : kept };
}
