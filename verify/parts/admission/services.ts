import { listPath } from "../../../cluster/kinds/kinds.ts";
import { controllerPrefixes } from "../../../config/route/controllers.ts";
import { gatewayOf } from "../../../config/route/route.ts";
import type { Settings } from "../../../config/settings.ts";
import type { Player } from "../../stage/stage.ts";
import { promisesPage } from "../pages.ts";
import type { Attempt, Attempts } from "./attempt.ts";
import { ownName, type Permitted } from "./permitted.ts";

const elsewhere = "kubernetes.default.svc.cluster.local";

/** Some that the API server gives to nobody who does not ask for one. */
export function addressesAfter(first: string): readonly string[] {
  const [, start = "", last = ""] = /^(\d+\.\d+\.\d+\.)(\d+)$/.exec(first) ?? [];
  const numbers = [9, 11, 12, 13];
  return start === ""
    ? numbers.map((each) => `${first}${each}`)
    : numbers.map((each) => `${start}${Number(last) + each}`);
}

/** @param free a cluster address that nobody has, if one is known */
export const ofServices = ({ service }: Permitted, free: string | undefined): Attempts => ({
  promise: "Services lead to pods of their namespace, from within the cluster",
  page: promisesPage,
  attempts: {
    "made a Service of type ExternalName": service({ spec: { type: "ExternalName", externalName: elsewhere } }),
    "made a Service that leads to another host": service({ spec: { externalName: elsewhere } }),
    "made a Service with an external IP": service({ spec: { externalIPs: ["192.0.2.1"] } }),
    "made a Service of type NodePort": service({ spec: { type: "NodePort" } }),
    "made a Service of type LoadBalancer": service({ spec: { type: "LoadBalancer" } }),
    "made a Service with an annotation of an ingress controller": service({
      metadata: { annotations: { [`${controllerPrefixes[0]}verify`]: "true" } },
    }),
    ...(free === undefined ? {} : { "chose a Service's cluster address": service({ spec: { clusterIP: free } }) }),
  },
});

export const routing = [
  { apiGroups: ["networking.k8s.io"], resources: ["ingresses"], verbs: ["create"] },
  { apiGroups: ["gateway.networking.k8s.io"], resources: ["httproutes"], verbs: ["create"] },
  { apiGroups: ["discovery.k8s.io"], resources: ["endpointslices"], verbs: ["create"] },
  { apiGroups: [""], resources: ["configmaps"], verbs: ["create"] },
];

/** By somebody whom a role made by hand lets: RBAC refuses members. */
export function ofRoutes({ configMap }: Permitted, { member, namespace }: Player, settings: Settings): Attempts {
  const make = (kind: "EndpointSlice" | "HTTPRoute" | "Ingress", apiVersion: string, rest: object): Attempt => ({
    method: "POST",
    path: listPath(kind, namespace),
    body: { apiVersion, kind, metadata: { name: ownName }, ...rest },
    like: configMap({}).like,
  });
  const host = member.route?.host ?? "kubecamp.invalid";
  return {
    promise: "No hand-made role lets anybody make routes, or say where Services lead",
    page: promisesPage,
    attempts: {
      "made an Ingress": make("Ingress", "networking.k8s.io/v1", { spec: { rules: [{ host }] } }),
      "made an EndpointSlice": make("EndpointSlice", "discovery.k8s.io/v1", {
        ...{ addressType: "IPv4", endpoints: [{ addresses: ["192.0.2.1"] }], ports: [{ port: 80 }] },
      }),
      ...(gatewayOf(settings) === undefined
        ? {}
        : { "made an HTTPRoute": make("HTTPRoute", "gateway.networking.k8s.io/v1", { spec: { hostnames: [host] } }) }),
    },
  };
}
