import type { TestSandbox } from "../support/sandbox.ts";

/** An object as the API server gives it. */
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

/** Kinds that the control plane makes and unmakes by itself at any time. */
const restless =
  /^(events|leases|componentstatuses|endpoints|endpointslices|pods|replicasets|nodes|csinodes|flowschemas|prioritylevel|ipaddresses)/;

/** Every object on the cluster, of every kind that can be listed but the restless ones. */
export async function everything(sandbox: TestSandbox): Promise<LiveObject[]> {
  const { stdout: kinds } = await sandbox.kubectl(["api-resources", "--verbs=list", "-o", "name"]);
  const names = kinds.split("\n").filter((kind) => kind !== "" && !restless.test(kind));
  const { stdout } = await sandbox.kubectl(["get", names.join(","), "--all-namespaces", "-o", "json"]);
  return (JSON.parse(stdout) as { items: LiveObject[] }).items;
}

export const nameOf = ({ kind, metadata }: LiveObject) =>
  metadata.namespace === undefined ? `${kind} ${metadata.name}` : `${kind} ${metadata.namespace}/${metadata.name}`;

/** The names of every object on the cluster, in alphabetical order. */
export async function inventory(sandbox: TestSandbox): Promise<string[]> {
  return (await everything(sandbox)).map(nameOf).sort();
}

/** What a person would have written: the object without what the API server, its controllers and our marks add. */
export function declared({ status: _, metadata, ...rest }: LiveObject) {
  const { uid, resourceVersion, creationTimestamp, generation, managedFields, annotations, ...kept } = metadata;
  const { "kubecamp.dev/applied": __, ...written } = annotations ?? {};
  return { ...rest, metadata: Object.keys(written).length > 0 ? { ...kept, annotations: written } : kept };
}
