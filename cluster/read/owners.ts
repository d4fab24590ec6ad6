import { memberLabel, stackLabel } from "../../naming/labels.ts";
import { serviceName } from "../../naming/names.ts";
import { isWrittenByMembers, stackKindsWhere } from "../kinds/stackKinds.ts";
import { type ClusterSnapshot, type Found, type LiveObject, type ObjectName, objectNameOf } from "./snapshot.ts";

/** What tells whose objects there are. */
export type Owned = Pick<ClusterSnapshot, "namespaces" | "services" | "managedObjects">;

/** What somebody has outside of their namespace. */
export interface Traces {
  /** What gives them access, what has their path, and the Service that this leads through. */
  readonly outside: readonly ObjectName[];
}

/** Everybody who has objects of some stacks on the cluster, by name. */
export function ownersIn(isTheirs: (stack: string | undefined) => boolean, snapshot: Owned): Map<string, Traces> {
  const owner = ({ labels }: Pick<LiveObject, "labels">) => (isTheirs(labels[stackLabel]) ? labels[memberLabel] : "");
  const outside = Map.groupBy(outsideOf(snapshot), ({ live }) => owner(live) ?? "");
  const names = new Set([
    ...[...snapshot.namespaces.values()].map((live) => owner(live) ?? ""),
    ...outside.keys(),
    ...ownersOfManagedObjects(snapshot, owner),
  ]);
  names.delete("");
  return new Map([...names].map((name) => [name, { outside: (outside.get(name) ?? []).map(({ object }) => object) }]));
}

interface Outside {
  readonly object: ObjectName;
  readonly live: Pick<Found, "labels">;
}

/** Kinds of what is outside of members' namespaces, beside Services: there, nobody but a run gives them these labels. */
const outsideKinds: ReadonlySet<string> = new Set(
  stackKindsWhere(
    ({ isKey, scope, door, selections }) =>
      (isKey && scope === "Cluster") || (door && selections.every(({ isBesideController }) => isBesideController)),
  ),
);

function outsideOf({ managedObjects, services, namespaces }: Owned): Outside[] {
  return [
    ...[...managedObjects].map(([key, live]) => ({ object: objectNameOf(key), live })).filter(isOutside),
    ...[...services].flatMap(([key, live]): Outside[] => {
      const [namespace = "", name = ""] = key.split("/");
      // In a namespace of their own, members make Services with whatever labels they like.
      const isTwin =
        live.type === "ExternalName" &&
        name === serviceName({ name: live.labels[memberLabel] ?? "" }) &&
        namespaces.get(namespace)?.labels[memberLabel] === undefined;
      return isTwin ? [{ object: { kind: "Service", name, namespace }, live }] : [];
    }),
  ];
}

const isOutside = ({ object }: Outside) => outsideKinds.has(object.kind);

/**
 * Whose guard rails are in place, even where somebody took the labels off the namespace around them. What members make at
 * home says nothing: with another stack's label on it, they would be among those who leave that one.
 */
function ownersOfManagedObjects(
  { managedObjects }: Owned,
  owner: (object: Pick<LiveObject, "labels">) => string | undefined,
): readonly string[] {
  return [...managedObjects].flatMap(([key, managedObject]) => {
    const name = owner(managedObject) ?? "";
    return name !== "" && key.includes(` ${name}/`) && !isWrittenByMembers(objectNameOf(key)) ? [name] : [];
  });
}
