import { logicalNameIn, memberOf } from "../../../naming/urns.ts";
import type { Digest } from "../digest.ts";
import { type Step, stackIn } from "../steps.ts";

/** A member's move to another shard. */
export interface Moved {
  readonly from: string;
  readonly to: string;
}

/** Steps without moves, and the members who move between stacks of a family. */
interface Joined {
  readonly steps: readonly Step[];
  readonly moved: ReadonlyMap<string, Moved>;
}

/**
 * Finds members that one stack deletes and another has: `kubecamp up` transfers their objects. An object that the old
 * stack deletes and the new one has or makes is no deletion.
 */
export function joinedMoves(steps: readonly Step[], digest: Digest): Joined {
  // The last operation counts: a refreshed object may still be deleted.
  const ends = new Map(digest.steps.map(({ urn, op }) => [urn, op]));
  const there = [...ends].flatMap(([urn, op]) => (!isDeletion(op) && memberOf(urn) !== undefined ? [urn] : []));
  const stacksOf = Map.groupBy(there, (urn) => memberOf(urn) ?? "");
  const moved = new Map<string, Moved>();
  for (const { member, change, stack } of steps) {
    const stacks = new Set(stacksOf.get(member ?? "")?.map(stackIn));
    const [to] = stacks;
    if (member !== undefined && change === "deleted" && to !== undefined && !stacks.has(stack)) {
      moved.set(member, { from: stack, to });
    }
  }
  const has = new Set(there.map((urn) => `${stackIn(urn)} ${logicalNameIn(urn)}`));
  const goesOn = ({ member = "", part, stack, change }: Step) => {
    const { from, to } = moved.get(member) ?? {};
    return change === "deleted" && from === stack && has.has(`${to} ${part === "" ? member : `${member}/${part}`}`);
  };
  return { steps: steps.filter((step) => !goesOn(step)), moved };
}

const isDeletion = (op: string) => op.startsWith("delete") || op.startsWith("discard");
