import { memberLabel, stackLabel } from "../../config/names/labels.ts";
import { serviceName } from "../../config/names/names.ts";
import { type ObjectName, objectKey, objectNameOf } from "../kinds/objectName.ts";
import { isWrittenByMembers, stackKindsWhere } from "../kinds/stackKinds.ts";
import type { ClusterSnapshot, Found, LiveObject } from "./snapshot.ts";

export type Owned = Pick<ClusterSnapshot, "namespaces" | "services" | "managedObjects">;

/** Members who have objects of these stacks on the cluster, by name, with those outside of their namespace. */
export function ownersIn(isTheirs: (stack: string | undefined) => boolean, snapshot: Owned): Map<string, ObjectName[]> {
  const owner = ({ labels }: Pick<LiveObject, "labels">) => (isTheirs(labels[stackLabel]) ? labels[memberLabel] : "");
  const outside = Map.groupBy(outsideOf(snapshot), ({ live }) => owner(live) ?? "");
  const names = new Set([
    ...[...snapshot.namespaces.values()].map((live) => owner(live) ?? ""),
    ...outside.keys(),
    ...ownersOfManagedObjects(snapshot, owner),
  ]);
  names.delete("");
  return new Map([...names].map((name) => [name, (outside.get(name) ?? []).map(({ object }) => object)]));
}

interface Outside {
  readonly object: ObjectName;
  readonly live: Pick<Found, "labels">;
}

/** Kinds without a namespace that are a member's. Only runs set labels on objects there. */
const clusterKinds: ReadonlySet<string> = new Set(stackKindsWhere(({ isKey, scope }) => isKey && scope === "Cluster"));

/** An Ingress in another namespace counts beside the Service that leads to the member's: anyone may have copied its labels. */
function outsideOf({ managedObjects, services, namespaces }: Owned): Outside[] {
  const twins = [...services].flatMap(([key, live]): Outside[] => {
    const [namespace = "", name = ""] = key.split("/");
    // Members can make Services with any labels in their own namespace.
    const isTwin =
      live.type === "ExternalName" &&
      name === serviceName({ name: live.labels[memberLabel] ?? "" }) &&
      namespaces.get(namespace)?.labels[memberLabel] === undefined;
    return isTwin ? [{ object: { kind: "Service", name, namespace }, live }] : [];
  });
  const doors = new Set(
    twins.map(({ object, live }) => objectKey("Ingress", live.labels[memberLabel] ?? "", object.namespace)),
  );
  return [
    ...[...managedObjects]
      .map(([key, live]) => ({ key, object: objectNameOf(key), live }))
      .filter(({ key, object }) => clusterKinds.has(object.kind) || doors.has(key)),
    ...twins,
  ];
}

/** Even if the namespace lost its labels. Kinds that members write don't count: they could name another stack there. */
function ownersOfManagedObjects(
  { managedObjects }: Owned,
  owner: (object: Pick<LiveObject, "labels">) => string | undefined,
): readonly string[] {
  return [...managedObjects].flatMap(([key, managedObject]) => {
    const name = owner(managedObject) ?? "";
    return name !== "" && key.includes(` ${name}/`) && !isWrittenByMembers(objectNameOf(key)) ? [name] : [];
  });
}
