import { costOf, type Results, type SizeResults } from "../results.ts";

/** Seconds for the first `kubecamp up` of so many members, and the source of that figure. */
interface Expected {
  readonly members: number;
  readonly seconds: number;
  readonly source: "measured" | "interpolated" | "extrapolated";
  /** Number of stacks; undefined for one. */
  readonly shards?: number;
}

const lists = [
  [60, "a class of 60"],
  [100, "100 members"],
  [300, "a school of 300"],
  [3000, "3,000 members"],
] as const;

/** A line each on time and memory, and how they were measured. */
export function expectation({ machine, plugins, sizes }: Results): string {
  const shown = lists.flatMap(([members, name]) => {
    const expected = expectedOf(members, sizes);
    return expected === undefined ? [] : [{ name, ...expected }];
  });
  const first = shown.map(({ name, seconds, source, shards }) => {
    const over = shards === undefined ? "" : ` over ${shards} shards`;
    return `${name}${over}: ${duration(seconds)} (${source})`;
  });
  const measured = sizes
    .filter((size) => costOf(size, "create", "kubecamp") !== undefined)
    .map(({ members }) => members);
  const parts = `Kubernetes plugin: ${plugins.kubernetes}; language host: ${plugins.languageHost}`;
  if (first.length === 0) {
    return "There are no figures yet.";
  }
  return [
    `- **Time**: a first \`kubecamp up\`, before routes open: ${first.join("; ")}.`,
    ...memory(sizes),
    "",
    `Measured with ${measured.join(", ")} members, on ${machine.cpus} CPUs that also ran the cluster (${parts}).`,
  ].join("\n");
}

/** A measured time, or one from a straight line through measured ones; undefined if there are too few. */
function expectedOf(members: number, sizes: readonly SizeResults[]): Expected | undefined {
  const points = sizes.flatMap((size) => {
    const cost = costOf(size, "create", "kubecamp");
    return cost === undefined ? [] : [{ members: size.members, seconds: cost.seconds }];
  });
  const exact = points.find((point) => point.members === members);
  if (exact !== undefined) {
    return { ...exact, source: "measured" };
  }
  const above = points.findIndex((point) => point.members > members);
  if (above > 0) {
    return { members, seconds: onLine(members, points[above - 1], points[above]), source: "interpolated" };
  }
  const split = sizes.findLast(({ sharded }) => sharded !== undefined);
  const ofShards = split?.sharded && costOf(split.sharded, "create", "kubecamp");
  if (split?.sharded !== undefined && ofShards !== undefined && split.members < members) {
    const times = members / split.members;
    return {
      members,
      seconds: ofShards.seconds * times,
      source: "extrapolated",
      shards: Math.ceil(split.sharded.count * times),
    };
  }
  return above === -1 && points.length > 1
    ? { members, seconds: onLine(members, points.at(-2), points.at(-1)), source: "extrapolated" }
    : undefined;
}

interface Point {
  readonly members: number;
  readonly seconds: number;
}

function onLine(members: number, a: Point | undefined, b: Point | undefined): number {
  if (a === undefined || b === undefined) {
    return Number.NaN;
  }
  return a.seconds + ((members - a.members) * (b.seconds - a.seconds)) / (b.members - a.members);
}

/** The peak of all processes in a run about one member, and in any run, for a typical number of members. */
function memory(sizes: readonly SizeResults[]): string[] {
  const size = sizes.find(({ members }) => members === 100) ?? sizes.at(-1);
  const cost = size && costOf(size, "one limit changed", "kubecamp");
  return size === undefined || cost === undefined
    ? []
    : [
        `- **Memory**: a run about one of ${size.members} members: ${cost.peakMiB.toFixed(0)} MiB; about all: up to ${mostMiB(size).toFixed(0)} MiB.`,
      ];
}

const mostMiB = ({ rows }: SizeResults): number =>
  Math.max(...rows.flatMap(({ tool, cost }) => (tool === "kubecamp" ? [cost.peakMiB] : [])));

/** Rounded: other machines differ more. */
function duration(seconds: number): string {
  return seconds < 100 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}
