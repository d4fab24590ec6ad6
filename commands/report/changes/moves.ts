import { isMap } from "../../../config/model/maps.ts";
import { stackLabel } from "../../../naming/labels.ts";
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
 * stack deletes and the new one has is no deletion, and one that the new stack makes instead is a change.
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
  if (moved.size === 0) {
    return { steps, moved };
  }
  const has = new Set(there.map((urn) => `${stackIn(urn)} ${logicalNameIn(urn)}`));
  const isOld = ({ member = "", stack, change }: Step) => change === "deleted" && moved.get(member)?.from === stack;
  const old = new Map(steps.filter(isOld).map((step) => [`${moved.get(step.member ?? "")?.to} ${idOf(step)}`, step]));
  const joined = steps.flatMap((step): Step[] => {
    const { member = "" } = step;
    const move = moved.get(member);
    if (move !== undefined && isOld(step)) {
      return has.has(`${move.to} ${idOf(step)}`) ? [] : [step];
    }
    const before = old.get(`${step.stack} ${idOf(step)}`);
    const isPair = move !== undefined && before !== undefined && step.change === "made";
    return [isPair ? { ...step, change: "changed", before: renamed(before.before, move) } : step];
  });
  return { steps: joined, moved };
}

const isDeletion = (op: string) => op.startsWith("delete") || op.startsWith("discard");

/** Logical name. */
const idOf = ({ member, part }: Step) => (part === "" ? (member ?? "") : `${member}/${part}`);

/** Renames to the new stack's names, so that only other differences remain. */
function renamed(inputs: Step["before"], { from, to }: Moved): Step["before"] {
  const { metadata, roleRef } = inputs;
  const name = (value: unknown) => (typeof value === "string" ? value.replace(`:${from}:`, `:${to}:`) : value);
  const named = (value: unknown) => (isMap(value) && "name" in value ? { ...value, name: name(value.name) } : value);
  const labels = isMap(metadata) && isMap(metadata.labels) ? metadata.labels : undefined;
  const whose = labels === undefined ? {} : { labels: { ...labels, [stackLabel]: to } };
  return {
    ...inputs,
    ...(isMap(metadata) ? { metadata: { ...Object(named(metadata)), ...whose } } : {}),
    ...(roleRef === undefined ? {} : { roleRef: named(roleRef) }),
  };
}
