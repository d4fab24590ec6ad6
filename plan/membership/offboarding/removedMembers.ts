import { compare } from "../../../cluster/kinds/compare.ts";
import { type Owned, ownersIn, type Traces } from "../../../cluster/read/owners.ts";
import type { LiveObject } from "../../../cluster/read/snapshot.ts";
import type { Member, Settings } from "../../../config/model/settings.ts";
import { protectedLabel, stackLabel } from "../../../naming/labels.ts";
import { isOwnStack } from "../../compare/foreign.ts";

/** Somebody who has objects of a stack on the cluster and is not in its list. */
export interface RemovedMember extends Traces {
  readonly name: string;
  /** Whether their namespace is there, is being deleted, or is gone. */
  readonly namespace: "live" | "terminating" | "gone";
  /** Whether their removal is refused: the namespace says so, now that no entry does. */
  readonly protect: boolean;
}

/**
 * All who leave a stack, in alphabetical order of their names.
 * @param members the whole list, also of a stack that has a part of it
 */
export function removedMembers(
  members: readonly Member[],
  { stack }: Pick<Settings, "stack">,
  snapshot: Owned,
): RemovedMember[] {
  return removedMembersOf((label) => label === stack, members, snapshot);
}

/** Those who leave it or another of its family: a list that is cut off would lose a few of each. */
export function familyRemovedMembers(members: readonly Member[], settings: Settings, snapshot: Owned): RemovedMember[] {
  return removedMembersOf((label) => isOwnStack(label, settings), members, snapshot);
}

function removedMembersOf(
  isTheirs: (stack: string | undefined) => boolean,
  members: readonly Member[],
  snapshot: Owned,
) {
  const listed = new Set(members.map(({ name }) => name));
  return [...ownersIn(isTheirs, snapshot)]
    .filter(([name]) => !listed.has(name))
    .sort(([a], [b]) => compare(a, b))
    .map(([name, traces]): RemovedMember => {
      const home = homeOf(name, isTheirs, snapshot);
      return {
        name,
        namespace: home === undefined ? "gone" : home.terminating ? "terminating" : "live",
        protect: home?.labels[protectedLabel] === "true",
        ...traces,
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
export function onTheirWay(removed: RemovedMember): boolean {
  return removed.namespace === "terminating" && removed.outside.length === 0;
}
