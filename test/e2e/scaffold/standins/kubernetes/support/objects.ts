/** The objects that the tests make again and again. */
import type { Props } from "../../../../../../buckets/protocol/values.ts";

export function configMap(namespace: string, name: string, data: Props = { a: "b" }, annotations?: Props): Props {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: metadata(namespace, name, annotations), data };
}

export function quota(namespace: string, name: string, hard: Props): Props {
  return { apiVersion: "v1", kind: "ResourceQuota", metadata: metadata(namespace, name), spec: { hard } };
}

export function deployment(namespace: string, name: string, image = "nginx", annotations?: Props): Props {
  const labels = { app: name };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: metadata(namespace, name, annotations),
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "web", image }] } },
    },
  };
}

export function service(namespace: string, name: string, spec: Props, annotations?: Props): Props {
  return { apiVersion: "v1", kind: "Service", metadata: metadata(namespace, name, annotations), spec };
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
