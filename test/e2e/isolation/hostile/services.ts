import { signatureKey } from "../../../../naming/pulumiMarks.ts";
import { abroad, create, type Group, home, inside, labels, named, patch, policy, rbac } from "./attempt.ts";

const port = { port: 80, targetPort: 8080 };
const service = (name: string, spec: object) => named(name, { spec: { selector: labels, ports: [port], ...spec } });
const make = (name: string, spec: object) => create(home("services"), service(name, spec));
const change = (spec: object) => patch(home("services/mallory-svc"), { spec });

const ports = [{ port: 80 }];
/** A version that cannot exist, so that the API server gives up on all managed fields. */
const unreadable = { manager: "x", operation: "Update", apiVersion: "a/b/c", fieldsType: "FieldsV1", fieldsV1: {} };
const slice = (addresses: string[]) => ({ addressType: "IPv4", endpoints: [{ addresses }], ports });
const ingress = (host: string, path: string) => ({
  spec: {
    ingressClassName: "nginx",
    rules: [
      {
        host,
        http: {
          paths: [{ path, pathType: "Prefix", backend: { service: { name: "mallory-svc", port: { number: 80 } } } }],
        },
      },
    ],
  },
});

/** Services that lead elsewhere, and routes beside the platform's. */
export const services: Group = {
  on: "Services and routes",
  attempts: [
    [
      "gives a Service's selector a key that Pulumi takes for a mark of its own",
      change({ selector: { app: null, [signatureKey]: "x" } }),
      policy("services", `Service 'mallory-svc' has the key ${signatureKey}`),
    ],
    [
      "leads a Service to the neighbour's by name",
      make("a", { type: "ExternalName", externalName: "vic-svc.vic.svc.cluster.local" }),
      policy("services", "Service 'a' is of type ExternalName"),
    ],
    [
      "leads the routed Service to the neighbour's by name, once its path is open",
      change({ type: "ExternalName", externalName: "vic-svc.vic.svc.cluster.local" }),
      policy("services", "Service 'mallory-svc' is of type ExternalName"),
    ],
    [
      "gives a Service of type ClusterIP an external name",
      make("b", { externalName: "vic-svc.vic.svc" }),
      policy("services", "leads to vic-svc.vic.svc \\(externalName\\)"),
    ],
    [
      "gives a Service the metadata service's address",
      make("c", { externalIPs: ["169.254.169.254"] }),
      /externalIPs.*(may not|169\.254\.169\.254)/,
    ],
    [
      "has the API server look through 10,000 addresses of a Service",
      make("d", { externalIPs: Array.from({ length: 10_000 }, (_, index) => `10.9.${index >> 8}.${index & 255}`) }),
      policy("services", "Service 'd' has 10001 external IPs and ports, which the API server would be long busy with"),
    ],
    [
      "has the API server look through the notes of 10,000 field managers",
      create(home("services"), {
        metadata: {
          name: "d",
          managedFields: Array.from({ length: 10_000 }, (_, index) => ({
            ...{ manager: `m-${index}`, operation: "Apply", apiVersion: "v1", fieldsType: "FieldsV1" },
            fieldsV1: { "f:metadata": { "f:labels": {} } },
          })),
        },
        spec: { selector: labels, ports: [port] },
      }),
      policy("services", "Service 'd' asks for the cluster address"),
    ],
    [
      "gives a Service the address of a site that all use",
      make("d", { externalIPs: ["1.1.1.1"] }),
      policy("services", "takes the address 1.1.1.1 \\(externalIPs\\)"),
    ],
    [
      "gives an existing Service the address of a site that all use",
      change({ externalIPs: ["1.1.1.1"] }),
      policy("services", "takes the address 1.1.1.1 \\(externalIPs\\)"),
    ],
    [
      "opens a port of the nodes with a Service",
      make("e", { type: "NodePort" }),
      policy("services", "Service 'e' is of type NodePort"),
    ],
    [
      "opens a port of the nodes with an existing Service",
      change({ type: "NodePort" }),
      policy("services", "is of type NodePort"),
    ],
    [
      "opens a port of the nodes as a member without quota",
      create(inside("ada", "services"), service("e", { type: "NodePort" })),
      policy("services", "is of type NodePort"),
      "ada",
    ],
    [
      "asks the cloud for an address with a LoadBalancer",
      make("f", { type: "LoadBalancer" }),
      policy("services", "is of type LoadBalancer"),
    ],
    [
      "asks another cloud for an address with a LoadBalancer of another class",
      make("g", { type: "LoadBalancer", loadBalancerClass: "example.org/other" }),
      policy("services", "is of type LoadBalancer"),
    ],
    [
      "writes an address into the status of a Service",
      patch(home("services/mallory-svc/status"), { status: { loadBalancer: { ingress: [{ ip: "1.1.1.1" }] } } }),
      rbac("patch", "services/status"),
    ],
    // The cluster IP of the API's own Service in the sandbox's default range.
    [
      "takes the cluster address of another's Service",
      make("h", { clusterIP: "10.0.0.1" }),
      /provided IP is already allocated/,
    ],
    // From the part of the range that the API server gives to nobody who doesn't ask for it.
    [
      "takes a free cluster address, which was another's a moment ago",
      make("h", { clusterIP: "10.0.0.9" }),
      policy("services", "Service 'h' asks for the cluster address 10.0.0.9, which may have been somebody else's"),
    ],
    [
      "takes a free cluster address by the list of addresses (clusterIPs)",
      make("h", { clusterIP: "10.0.0.9", clusterIPs: ["10.0.0.9"] }),
      policy("services", "Service 'h' asks for the cluster address 10.0.0.9"),
    ],
    [
      "takes a free cluster address with empty managed fields",
      ({ ask }) =>
        ask("POST", home("services"), {
          ...service("h", { clusterIP: "10.0.0.9" }),
          metadata: { name: "h", managedFields: [{}] },
        }),
      policy("services", "Service 'h' asks for the cluster address 10.0.0.9"),
    ],
    [
      "takes a free cluster address with unreadable managed fields",
      ({ ask }) =>
        ask("POST", home("services"), {
          ...service("h", { clusterIP: "10.0.0.9" }),
          metadata: { name: "h", managedFields: [unreadable] },
        }),
      policy("services", "Service 'h' asks for the cluster address 10.0.0.9"),
    ],
    [
      "takes a free cluster address in an apply",
      ({ ask }) =>
        ask(
          "PATCH",
          home("services/h?fieldManager=mallory"),
          { apiVersion: "v1", kind: "Service", ...service("h", { clusterIP: "10.0.0.9" }) },
          "application/apply-patch+yaml",
        ),
      policy("services", "Service 'h' asks for the cluster address 10.0.0.9"),
    ],
    [
      "takes a free cluster address by replacing a Service that is not there",
      ({ ask }) => ask("PUT", home("services/h"), service("h", { clusterIP: "10.0.0.9" })),
      policy("services", "Service 'h' asks for the cluster address 10.0.0.9"),
    ],
    [
      "leads a Service without selector to a neighbour's pod by Endpoints",
      create(home("endpoints"), named("mallory-svc", { subsets: [{ addresses: [{ ip: "10.0.0.7" }], ports }] })),
      rbac("create", "endpoints"),
    ],
    [
      "leads a Service without selector to a neighbour's pod by an EndpointSlice",
      create(home("endpointslices"), {
        metadata: { name: "mine", labels: { "kubernetes.io/service-name": "mallory-svc" } },
        ...slice(["10.0.0.7"]),
      }),
      rbac("create", "endpointslices.discovery.k8s.io"),
    ],
    [
      "puts a pod of their own behind the neighbour's Service",
      create(abroad("endpointslices"), {
        metadata: { name: "mine", labels: { "kubernetes.io/service-name": "vic-svc" } },
        ...slice(["10.0.0.9"]),
      }),
      rbac("create", "endpointslices.discovery.k8s.io"),
    ],
    [
      "takes the neighbour's path with an Ingress",
      create(home("ingresses"), named("mine", ingress("camp.test", "/vic"))),
      rbac("create", "ingresses.networking.k8s.io"),
    ],
    [
      "takes every host with an Ingress",
      create(home("ingresses"), named("mine", ingress("*.test", "/"))),
      rbac("create", "ingresses.networking.k8s.io"),
    ],
    [
      "leads the platform's Ingress to their own Service",
      patch(inside("ingress-nginx", "ingresses/vic"), ingress("camp.test", "/vic")),
      rbac("patch", "ingresses.networking.k8s.io"),
    ],
    [
      "makes a Service beside the ingress controller",
      create(inside("ingress-nginx", "services"), service("vic-svc", {})),
      rbac("create", "services"),
    ],
    [
      "takes a path by a Gateway's route",
      create(home("httproutes"), named("mine", { spec: { hostnames: ["camp.test"] } })),
      rbac("create", "httproutes.gateway.networking.k8s.io"),
    ],
    [
      "takes a path by Traefik's own kind of route",
      create(home("ingressroutes"), named("mine", { spec: { routes: [] } })),
      rbac("create", "ingressroutes.traefik.io"),
    ],
    [
      "reads the Secrets beside the ingress controller",
      ({ ask }) => ask("GET", inside("ingress-nginx", "secrets")),
      rbac("list", "secrets"),
    ],
  ],
  controls: [
    ["makes the Service that their path leads to", make("mallory-svc", {})],
    ["leads the Service of their path to another port", change({ ports: [{ port: 80, targetPort: 9090 }] })],
    ["makes a Service without an address, for a StatefulSet", make("peers", { clusterIP: "None" })],
    ["makes a Service that asks for any address", make("any", { clusterIP: "" })],
    [
      "makes a Service by an apply",
      ({ ask }) =>
        ask(
          "PATCH",
          home("services/applied?fieldManager=mallory"),
          { apiVersion: "v1", kind: "Service", ...service("applied", {}) },
          "application/apply-patch+yaml",
        ),
    ],
  ],
};
