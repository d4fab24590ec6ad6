import { signatureKey } from "../../../../config/names/pulumiMarks.ts";
import {
  type Ask,
  abroad,
  change,
  create,
  type Group,
  home,
  inside,
  labels,
  make,
  many,
  named,
  patch,
  policy,
  rbac,
  refused,
} from "./attempt.ts";

const port = { port: 80, targetPort: 8080 };
const service = (name: string, spec: object) => named(name, { spec: { selector: labels, ports: [port], ...spec } });
const serve = (name: string, spec: object) => make("services", service(name, spec));
/** Changes the Service of their path. */
const lead = (spec: object) => change("services/mallory-svc", { spec });

/** A version that cannot exist, so that the API server gives up on all managed fields. */
const unreadable = { manager: "x", operation: "Update", apiVersion: "a/b/c", fieldsType: "FieldsV1", fieldsV1: {} };
const ingress = { spec: { rules: [{ host: "camp.test" }] } };
/** From the part of the range that the API server gives to nobody who doesn't ask for it. */
const free = { clusterIP: "10.0.0.9" };
const managedBy = (manager: object) =>
  make("services", { ...service("h", free), metadata: { name: "h", managedFields: [manager] } });
const apply =
  (name: string, spec: object): Ask =>
  ({ ask }) => {
    const body = { apiVersion: "v1", kind: "Service", ...service(name, spec) };
    return ask("PATCH", home(`services/${name}?fieldManager=mallory`), body, "application/apply-patch+yaml");
  };

/** Services that lead elsewhere, and routes beside the platform's. */
export const services: Group = {
  on: "Services and routes",
  attempts: [
    [
      "gives a Service's selector a key that Pulumi takes for a mark of its own",
      lead({ selector: { app: null, [signatureKey]: "x" } }),
      policy("services", `Service 'mallory-svc' has the key ${signatureKey}`),
    ],
    [
      "leads the routed Service to the neighbour's by name, once its path is open",
      lead({ type: "ExternalName", externalName: "vic-svc.vic.svc.cluster.local" }),
      policy("services", "Service 'mallory-svc' is of type ExternalName"),
    ],
    ...refused(policy("services", "Service 'mallory-svc' has the annotation haproxy.org/backend-config-snippet"), {
      "configures HAProxy by the routed Service, once its path is open": change("services/mallory-svc", {
        metadata: { annotations: { "haproxy.org/backend-config-snippet": "http-request return status 200" } },
      }),
      "does so without a value": change("services/mallory-svc", {
        metadata: { annotations: { "haproxy.org/backend-config-snippet": "" } },
      }),
    }),
    ...refused(
      policy("services", "Service 'd' has the annotation traefik.ingress.kubernetes.io/service.serversscheme"),
      {
        "configures Traefik by a Service, before its path is open": make("services", {
          ...service("d", {}),
          metadata: { name: "d", annotations: { "traefik.ingress.kubernetes.io/service.serversscheme": "h2c" } },
        }),
      },
    ),
    [
      "has the API server look through 10,000 addresses of a Service",
      serve("d", { externalIPs: many(10_000, (index) => `10.9.${index >> 8}.${index & 255}`) }),
      policy("services", "Service 'd' has 10001 external IPs and ports, which the API server would be long busy with"),
    ],
    ...refused(policy("services", "Service 'd' asks for the cluster address"), {
      "has the API server look through the notes of 10,000 field managers": make("services", {
        metadata: {
          name: "d",
          managedFields: many(10_000, (index) => ({
            ...{ manager: `m-${index}`, operation: "Apply", apiVersion: "v1", fieldsType: "FieldsV1" },
            fieldsV1: { "f:metadata": { "f:labels": {} } },
          })),
        },
        spec: { selector: labels, ports: [port] },
      }),
    }),
    ...refused(/provided IP is already allocated/, {
      // The cluster IP of the API's own Service in the sandbox's default range.
      "takes the cluster address of another's Service": serve("h", { clusterIP: "10.0.0.1" }),
    }),
    ...refused(
      policy("services", "Service 'h' asks for the cluster address 10.0.0.9, which may have been somebody else's"),
      {
        "takes a free cluster address, which was another's a moment ago": serve("h", free),
      },
    ),
    ...refused(policy("services", "Service 'h' asks for the cluster address 10.0.0.9"), {
      "takes a free cluster address by the list of addresses (clusterIPs)": serve("h", {
        ...free,
        clusterIPs: ["10.0.0.9"],
      }),
      "takes a free cluster address with empty managed fields": managedBy({}),
      "takes a free cluster address with unreadable managed fields": managedBy(unreadable),
      "takes a free cluster address in an apply": apply("h", free),
      "takes a free cluster address by replacing a Service that is not there": ({ ask }) =>
        ask("PUT", home("services/h"), service("h", free)),
    }),
    ...refused(rbac("create", "endpointslices.discovery.k8s.io"), {
      "puts a pod of their own behind the neighbour's Service": create(abroad("endpointslices"), {
        metadata: { name: "mine", labels: { "kubernetes.io/service-name": "vic-svc" } },
        ...{ addressType: "IPv4", endpoints: [{ addresses: ["10.0.0.9"] }], ports: [{ port: 80 }] },
      }),
    }),
    ...refused(rbac("create", "ingresses.networking.k8s.io"), {
      "takes the neighbour's path with an Ingress": make("ingresses", named("mine", ingress)),
    }),
    [
      "leads the platform's Ingress to their own Service",
      patch(inside("ingress-nginx", "ingresses/vic"), ingress),
      rbac("patch", "ingresses.networking.k8s.io"),
    ],
  ],
  controls: {
    "makes the Service that their path leads to": serve("mallory-svc", {}),
    "leads the Service of their path to another port": lead({ ports: [{ port: 80, targetPort: 9090 }] }),
    "makes a Service without an address, for a StatefulSet": serve("peers", { clusterIP: "None" }),
    "makes a Service that asks for any address": serve("any", { clusterIP: "" }),
    "makes a Service by an apply": apply("applied", {}),
  },
};
