import * as k8s from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import type { Drift } from "../cluster/drift.ts";
import type { RouteObject } from "./objects/route/routeObjects.ts";

/**
 * Makes the objects of a member's open route, one after the other. None is `deletedWith` the member's namespace: whoever
 * leaves loses the route first, and most of it is in another namespace, where Pulumi's state is what finds it.
 * @param name the member's
 */
export function memberRoute(
  name: string,
  objects: readonly RouteObject[],
  { drift, parent, dependsOn }: { readonly drift: Drift; parent: pulumi.Resource; dependsOn: pulumi.Resource[] },
): void {
  let before = dependsOn;
  for (const { part, apiVersion, kind, ...declared } of objects) {
    const logicalName = `${name}/route/${part}`;
    const opts = { parent, dependsOn: before };
    if (kind === "Service") {
      before = [new k8s.core.v1.Service(logicalName, declared, opts)];
    } else if (kind === "Ingress") {
      before = [new k8s.networking.v1.Ingress(logicalName, drift.marked(kind, declared), opts)];
    } else if (kind === "ConfigMap") {
      before = [new k8s.core.v1.ConfigMap(logicalName, drift.marked(kind, declared), opts)];
    } else if (kind === "HTTPRoute" || kind === "BackendTLSPolicy") {
      const args = { apiVersion, kind, ...drift.marked(kind, declared) };
      before = [new k8s.apiextensions.CustomResource(logicalName, args, opts)];
    } else {
      before = [new k8s.apiextensions.CustomResource(logicalName, { apiVersion, kind, ...declared }, opts)];
    }
  }
}
