import {
  type ClusterSnapshot,
  keyOf,
  type LiveObject,
  type ObjectName,
  serviceKey,
} from "../../cluster/read/snapshot.ts";
import type { Planned } from "../plan.ts";
import { isRead } from "./manifest.ts";
import type { PlannedObject, ReadObject } from "./row.ts";

/** An object as it is on the cluster, if it is there. */
export function liveOf(
  object: ObjectName,
  { managedObjects, services }: Pick<ClusterSnapshot, "managedObjects" | "services">,
): Pick<LiveObject, "labels"> | undefined {
  const { kind, name, namespace = "" } = object;
  return kind === "Service" ? services.get(serviceKey(namespace, name)) : managedObjects.get(keyOf(object));
}

/** The policies that judge what is asked for in members' namespaces, and what puts each in force. */
export const policyObjectsOf = ({ shared }: Pick<Planned, "shared">): ReadObject[] =>
  shared
    .filter(isRead)
    .filter(({ part }) => part.startsWith("access/admission/"))
    .sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));

/** Whether an object is one of what the member's open route is made of. */
export const isOfRoute = ({ part }: Pick<PlannedObject, "part">): boolean => part.startsWith("route/");
