import { isWrittenByMembers } from "../../../cluster/kinds/stackKinds.ts";
import { type ClusterSnapshot, guardName, type LiveObject, serviceKey } from "../../../cluster/read/snapshot.ts";
import type { Member, Settings } from "../../../config/model/settings.ts";
import { memberLabel, protectedLabel, stackLabel } from "../../../naming/labels.ts";
import { serviceName } from "../../../naming/names.ts";
import { isOwnStack } from "../../compare/foreign.ts";

/** Somebody who has objects of a stack on the cluster and is not in its list. */
export interface Leaver {
  readonly name: string;
  /** Whether their namespace is there, is being deleted, or is gone. */
  readonly namespace: "live" | "terminating" | "gone";
  /** Whether their removal is refused: the namespace says so, now that no entry does. */
  readonly protect: boolean;
  /** Keys of their ExternalName Services beside an ingress controller, as the snapshot has them. */
  readonly externalServices: readonly string[];
  /** Names of their Ingresses in the ingress controller's namespace. */
  readonly ingresses: readonly string[];
  readonly clusterRoleBindings: readonly string[];
}

/** What tells who leaves. */
export type Owned = Pick<ClusterSnapshot, "namespaces" | "services" | "ingresses" | "clusterRoleBindings" | "guards">;

/**
 * All who leave a stack, in alphabetical order of their names.
 * @param members the whole list, also of a stack that has a part of it
 */
export function leavers(members: readonly Member[], { stack }: Pick<Settings, "stack">, snapshot: Owned): Leaver[] {
  return leaversOf((label) => label === stack, members, snapshot);
}

/** Those who leave it or another of its family: a list that is cut off would lose a few of each. */
export function familyLeavers(members: readonly Member[], settings: Settings, snapshot: Owned): Leaver[] {
  return leaversOf((label) => isOwnStack(label, settings), members, snapshot);
}

function leaversOf(isTheirs: (stack: string | undefined) => boolean, members: readonly Member[], snapshot: Owned) {
  const listed = new Set(members.map(({ name }) => name));
  const owner = ({ labels }: Pick<LiveObject, "labels">) => (isTheirs(labels[stackLabel]) ? labels[memberLabel] : "");
  const namesBy = (objects: ReadonlyMap<string, LiveObject>) =>
    Map.groupBy(objects.keys(), (name) => owner(objects.get(name) ?? { labels: {} }) ?? "");
  const owners = {
    namespaces: namesBy(snapshot.namespaces),
    services: namesBy(externalServices(snapshot)),
    ingresses: namesBy(snapshot.ingresses),
    bindings: namesBy(snapshot.clusterRoleBindings),
  };
  const names = new Set([
    ...Object.values(owners).flatMap((names) => [...names.keys()]),
    ...ownersOfGuards(snapshot, owner),
  ]);
  return [...names]
    .filter((name) => name !== "" && !listed.has(name))
    .sort()
    .map((name): Leaver => {
      const home = homeOf(name, isTheirs, snapshot);
      return {
        name,
        namespace: home === undefined ? "gone" : home.terminating ? "terminating" : "live",
        protect: home?.labels[protectedLabel] === "true",
        externalServices: owners.services.get(name) ?? [],
        ingresses: owners.ingresses.get(name) ?? [],
        clusterRoleBindings: owners.bindings.get(name) ?? [],
      };
    });
}

/** One that has lost its labels is still theirs; one that another stack has made since is not. */
function homeOf(
  name: string,
  isTheirs: (stack: string | undefined) => boolean,
  { namespaces }: Owned,
): LiveObject | undefined {
  const live = namespaces.get(name);
  const stack = live?.labels[stackLabel];
  return stack === undefined || isTheirs(stack) ? live : undefined;
}

/** Whether nothing of theirs is left but a namespace that is already being deleted. */
export function onTheirWay(leaver: Leaver): boolean {
  const { namespace, externalServices, ingresses, clusterRoleBindings } = leaver;
  return namespace === "terminating" && [externalServices, ingresses, clusterRoleBindings].flat().length === 0;
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
function ownersOfGuards(
  { guards }: Owned,
  owner: (object: Pick<LiveObject, "labels">) => string | undefined,
): readonly string[] {
  return [...guards].flatMap(([key, guard]) => {
    const name = owner(guard) ?? "";
    return name !== "" && key.includes(` ${name}/`) && !isWrittenByMembers(guardName(key)) ? [name] : [];
  });
}
