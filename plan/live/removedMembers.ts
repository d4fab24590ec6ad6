import type { ObjectName } from "../../cluster/kinds/objectName.ts";
import { type Owned, ownersIn } from "../../cluster/read/owners.ts";
import type { Member } from "../../config/member/member.ts";
import { protectedLabel, stackLabel } from "../../config/names/labels.ts";
import type { Settings } from "../../config/settings.ts";
import { compare } from "../../config/values/sentences.ts";
import { isOwnStack } from "./owner.ts";

export interface RemovedMember {
  readonly name: string;
  /** Objects that give them access or hold their path elsewhere, and the Service that the path leads through. */
  readonly outside: readonly ObjectName[];
  readonly namespace: "live" | "terminating" | "gone";
  /** Whether removal is refused: the namespace's label says so, since there is no entry any more. */
  readonly protect: boolean;
}

/** In alphabetical order. @param members the whole list, including other shards' */
export const removedMembers = (members: readonly Member[], { stack }: Pick<Settings, "stack">, snapshot: Owned) =>
  removedMembersOf((label) => label === stack, members, snapshot);

/** Members removed from any shard: a truncated list would lose a few of each. */
export const familyRemovedMembers = (members: readonly Member[], settings: Settings, snapshot: Owned) =>
  removedMembersOf((label) => isOwnStack(label, settings), members, snapshot);

function removedMembersOf(
  isTheirs: (stack: string | undefined) => boolean,
  members: readonly Member[],
  snapshot: Owned,
) {
  const listed = new Set(members.map(({ name }) => name));
  return [...ownersIn(isTheirs, snapshot)]
    .filter(([name]) => !listed.has(name))
    .sort(([a], [b]) => compare(a, b))
    .map(([name, outside]): RemovedMember => {
      const live = snapshot.namespaces.get(name);
      const stack = live?.labels[stackLabel];
      // A namespace without the label is still the member's; one with another stack's label is not.
      const home = stack === undefined || isTheirs(stack) ? live : undefined;
      return { name, outside, namespace: stateOf(home), protect: home?.labels[protectedLabel] === "true" };
    });
}

function stateOf(home: { readonly terminating: boolean } | undefined): RemovedMember["namespace"] {
  if (home === undefined) {
    return "gone";
  }
  return home.terminating ? "terminating" : "live";
}

export function onTheirWay(removed: RemovedMember): boolean {
  return removed.namespace === "terminating" && removed.outside.length === 0;
}
