import { isMap } from "../../../config/model/maps.ts";
import { stackLabel } from "../../../naming/labels.ts";
import { logicalNameIn, memberOf } from "../../../naming/urns.ts";
import type { Digest } from "../digest.ts";
import type { Step } from "../steps.ts";

/** Somebody whom another shard has by now. */
export interface Moved {
  readonly from: string;
  readonly to: string;
}

/** What becomes of each object, and who has moved between the stacks of a family. */
export interface Joined {
  readonly steps: readonly Step[];
  readonly moved: ReadonlyMap<string, Moved>;
}

const stackIn = (urn: string) => /^urn:pulumi:([^:]+)::/.exec(urn)?.[1] ?? "";

/**
 * Whoever has moved is deleted in the one stack and stays in another: 'kubecamp up' hands over what is theirs. What the one
 * deletes and the other has, is no deletion; and what the other makes instead of it is a change.
 */
export function joinedMoves(steps: readonly Step[], digest: Digest): Joined {
  // The last of several tells: what a refresh has read may go all the same.
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

/** Its logical name. */
const idOf = ({ member, part }: Step) => (part === "" ? (member ?? "") : `${member}/${part}`);

/** As the new stack declares it: only what else differs is a change. */
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
