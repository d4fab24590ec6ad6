/** The objects that the tests make again and again. */
import type { Props } from "../../../../../../buckets/protocol/values.ts";
import type { ApiObjects } from "../../../../support/cluster/apiObjects.ts";

export const namespaceNamed = (name: string): object => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } });

/** Deletes what may be gone already. */
export async function removed(cluster: ApiObjects, kind: string, name: string): Promise<void> {
  if ((await cluster.find(kind, name)) !== undefined) {
    await cluster.destroy(kind, name);
  }
}

export function configMap(namespace: string, name: string, data: Props = { a: "b" }, annotations?: Props): Props {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: metadata(namespace, name, annotations), data };
}

export function ingress(namespace: string, name: string, serviceName: string, annotations?: Props): Props {
  const backend = { service: { name: serviceName, port: { number: 80 } } };
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "Ingress",
    metadata: metadata(namespace, name, annotations),
    spec: { rules: [{ host: "a.example", http: { paths: [{ path: "/", pathType: "Prefix", backend }] } }] },
  };
}

function metadata(namespace: string, name: string, annotations?: Props): Props {
  return { namespace, name, ...(annotations ? { annotations } : {}) };
}
