import { memberLabel, stackLabel } from "../../naming/labels.ts";
import { serviceName } from "../../naming/names.ts";
import { isWrittenByMembers } from "../kinds/stackKinds.ts";
import { type ClusterSnapshot, type LiveObject, objectNameOf, serviceKey } from "./snapshot.ts";

/** What tells whose objects there are. */
export type Owned = Pick<
  ClusterSnapshot,
  "namespaces" | "services" | "ingresses" | "clusterRoleBindings" | "managedObjects"
>;

/** What somebody has outside of their namespace. */
export interface Traces {
  /** Keys of their ExternalName Services beside an ingress controller, as the snapshot has them. */
  readonly externalServices: readonly string[];
  /** Names of their Ingresses in the ingress controller's namespace. */
  readonly ingresses: readonly string[];
  readonly clusterRoleBindings: readonly string[];
}

/** Everybody who has objects of some stacks on the cluster, by name. */
export function ownersIn(isTheirs: (stack: string | undefined) => boolean, snapshot: Owned): Map<string, Traces> {
  const owner = ({ labels }: Pick<LiveObject, "labels">) => (isTheirs(labels[stackLabel]) ? labels[memberLabel] : "");
  const namesBy = (objects: ReadonlyMap<string, LiveObject>) =>
    Map.groupBy(objects.keys(), (name) => owner(objects.get(name) ?? { labels: {} }) ?? "");
  const services = namesBy(externalServices(snapshot));
  const ingresses = namesBy(snapshot.ingresses);
  const bindings = namesBy(snapshot.clusterRoleBindings);
  const names = new Set([
    ...[namesBy(snapshot.namespaces), services, ingresses, bindings].flatMap((by) => [...by.keys()]),
    ...ownersOfManagedObjects(snapshot, owner),
  ]);
  names.delete("");
  return new Map(
    [...names].map((name) => [
      name,
      {
        externalServices: services.get(name) ?? [],
        ingresses: ingresses.get(name) ?? [],
        clusterRoleBindings: bindings.get(name) ?? [],
      },
    ]),
  );
}

/** What routes lead through. In a namespace of their own, members make Services with whatever labels they like. */
function externalServices({ services, namespaces }: Owned): Map<string, LiveObject> {
  return new Map(
    [...services].filter(([key, { type, labels }]) => {
      const [namespace = ""] = key.split("/");
      return (
        type === "ExternalName" &&
        key === serviceKey(namespace, serviceName({ name: labels[memberLabel] ?? "" })) &&
        namespaces.get(namespace)?.labels[memberLabel] === undefined
      );
    }),
  );
}

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
