import * as k8s from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import { vetoAnnotation } from "../naming/labels.ts";
import { logicalNames } from "../naming/logicalNames.ts";
import type { Drift } from "../plan/compare/drift.ts";
import type { RouteObject } from "../plan/objects/route/routeObject.ts";
import { madeAnew } from "./madeAnew.ts";

/** How a route is made. */
export interface RouteOptions {
  readonly drift: Drift;
  readonly parent: pulumi.Resource;
  readonly dependsOn: readonly pulumi.Resource[];
  /** What Pulumi asks before it makes any of the route, and that forbids it; undefined where it may be made. */
  readonly veto: pulumi.ResourceHook | undefined;
  /** What Pulumi asks before it makes the object that opens the path; undefined in a preview. */
  readonly check?: pulumi.ResourceHook | undefined;
  /** What has somebody else give up the path before that; undefined where nobody has it. */
  readonly handover?: pulumi.ResourceHook | undefined;
}

/**
 * Makes the objects of a member's open route, one after the other. None is `deletedWith` the member's namespace: whoever
 * leaves loses the route first, and most of it is in another namespace, where Pulumi's state is what finds it.
 * @param name the member's
 */
export function memberRoute(
  name: string,
  objects: readonly RouteObject[],
  { drift, parent, dependsOn, ...asked }: RouteOptions,
): pulumi.Resource[] {
  const { veto } = asked;
  const made: pulumi.Resource[] = [];
  let before = [...dependsOn];
  for (const object of objects) {
    const { part, apiVersion, kind, ...declared } = veto === undefined ? object : vetoed(object);
    const logicalName = logicalNames.route({ name }, part);
    // The last one opens the path.
    const hooks = hooksOf(asked, object === objects.at(-1));
    const opts = { parent, dependsOn: before, ...(hooks && { hooks }) };
    const resource = make(logicalName, { apiVersion, kind, ...declared }, drift, opts);
    before = [resource];
    made.push(resource);
  }
  return made;
}

/** What Pulumi asks before it makes or changes one of the objects, in this order. */
function hooksOf(
  { veto, check, handover }: Pick<RouteOptions, "veto" | "check" | "handover">,
  opensPath: boolean,
): pulumi.ResourceHookBinding | undefined {
  if (veto !== undefined) {
    return { beforeCreate: [veto], beforeUpdate: [veto] };
  }
  const beforeUpdate = handover === undefined ? [] : [handover];
  const beforeCreate = check === undefined ? beforeUpdate : [check, ...beforeUpdate];
  return opensPath && beforeCreate.length > 0 ? { beforeCreate, ...(handover && { beforeUpdate }) } : undefined;
}

function make(
  logicalName: string,
  { apiVersion, kind, ...declared }: Omit<RouteObject, "part">,
  drift: Drift,
  opts: pulumi.CustomResourceOptions,
): pulumi.Resource {
  switch (kind) {
    case "Service":
      return new k8s.core.v1.Service(logicalName, drift.named(declared), opts);
    case "Ingress":
      // In another namespace it is another object, and no two may have one path.
      return new k8s.networking.v1.Ingress(logicalName, drift.marked(kind, declared), {
        ...opts,
        deleteBeforeReplace: true,
      });
    case "ConfigMap":
      return new k8s.core.v1.ConfigMap(logicalName, drift.marked(kind, declared), {
        ...opts,
        ...madeAnew(kind, declared, drift),
      });
    default: {
      const args = { apiVersion, kind, ...drift.marked(kind, declared) };
      return new k8s.apiextensions.CustomResource(logicalName, args, opts);
    }
  }
}

/** An object that was deleted by hand, Pulumi's state still has: without a difference it would pass, and nobody be asked. */
function vetoed(object: RouteObject): RouteObject {
  const annotations = { ...object.metadata.annotations, [vetoAnnotation]: "true" };
  return { ...object, metadata: { ...object.metadata, annotations } };
}
