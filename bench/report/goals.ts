import { costOf, type Operation, type SizeResults, type Tool } from "../results.ts";

/** A goal and its measurement. */
interface Goal {
  readonly target: string;
  /** With its unit. */
  readonly measured: string;
  readonly met: boolean;
}

/** Numbers of members that the goals are for; between them, a member's cost should stay constant. */
const large = 1000;
const medium = 100;
/** In MiB. */
const gigabyte = 953;

/** Goals with their measurements; those not measured are left out. */
export function goals(sizes: readonly SizeResults[]): Goal[] {
  const at = (members: number) => sizes.find((size) => size.members === members);
  const [most, middle] = [at(large), at(medium)];
  return [
    ...(middle === undefined ? [] : ofMedium(middle)),
    ...(most === undefined ? [] : ofLarge(most)),
    ...(middle === undefined || most === undefined ? [] : flat(middle, most)),
  ];
}

/** Goals for `kubecamp up` with a hundred members. */
function ofMedium(size: SizeResults): Goal[] {
  const kubecamp = (operation: Operation) => total(size, [operation], "kubecamp");
  const kubectl = (operation: Operation) => total(size, [operation], "kubectl");
  const { distant } = size;
  const [far, appliedFar] = (["kubecamp", "kubectl"] as const).map(
    (tool) => distant && costOf(distant, "create", tool)?.seconds,
  );
  const diff = kubectl("unchanged preview");
  const ofOne = size.rows.filter(
    ({ operation, tool }) => tool === "kubecamp" && ["one limit changed", "one member added"].includes(operation),
  );
  const among = `among ${medium}`;
  return [
    ...ratio(`${among}, create within 2.5 × 'kubectl apply'`, kubecamp("create"), kubectl("create"), 2.5),
    ...ratio(`${among}, ${distant?.roundTrip} ms away, create within 0.5 × of that`, far, appliedFar, 0.5),
    ...within(`${among}, a dozen join within 6 s`, kubecamp("a dozen members added"), 6),
    ...ratio(`${among}, an unchanged up within 0.5 × 'kubectl diff'`, kubecamp("unchanged up"), diff, 0.5),
    ...ratio(`${among}, an unchanged preview within 0.5 × 'kubectl diff'`, kubecamp("unchanged preview"), diff, 0.5),
    ...ratio(
      `${among}, one limit within 1 × 'kubectl apply'`,
      kubecamp("one limit changed"),
      kubectl("one limit changed"),
      1,
    ),
    ...within(`${among}, one joins within 5 s`, kubecamp("one member added"), 5),
    ...(ofOne.length === 0
      ? []
      : [memory(`a run about one member ${among}`, Math.max(...ofOne.map(({ cost }) => cost.peakMiB)), 400)]),
  ];
}

function within(target: string, seconds: number | undefined, most: number): Goal[] {
  return seconds === undefined ? [] : [{ target, measured: `${seconds.toFixed(1)} s`, met: seconds <= most }];
}

function ofLarge(size: SizeResults): Goal[] {
  const making = ["create", "open routes"] as const;
  const [made, applied] = [total(size, making, "kubecamp"), total(size, making, "kubectl")];
  const [preview, diff] = (["kubecamp", "kubectl"] as const).map((tool) => total(size, ["unchanged preview"], tool));
  const whole = total(size, ["one member added"], "pulumi");
  const split = size.sharded && costOf(size.sharded, "one member added", "kubecamp")?.seconds;
  const shards = `with ${size.sharded?.count} shards, one member added within 10 % of an unsharded 'pulumi up'`;
  const most = Math.max(0, ...size.rows.flatMap(({ tool, cost }) => (tool === "kubecamp" ? [cost.peakMiB] : [])));
  return [
    ...ratio("create and open routes within 2 × 'kubectl apply'", made, applied, 2),
    ...ratio("an unchanged preview no slower than 'kubectl diff'", preview, diff, 1),
    ...ratio(shards, split, whole, 0.1),
    memory("any run", most, gigabyte),
  ];
}

/** Growth of a member's cost, for each operation measured at both sizes. */
function flat(middle: SizeResults, most: SizeResults): Goal[] {
  return (["create", "unchanged preview", "unchanged up"] as const).flatMap((operation) => {
    const [before, after] = [middle, most].map((size) => {
      const seconds = total(size, [operation], "kubecamp");
      return seconds === undefined ? undefined : (seconds * 1000) / size.members;
    });
    if (before === undefined || after === undefined) {
      return [];
    }
    const growth = after / before;
    return [
      {
        target: `${operation}: a member costs no more than 20 % more among ${large} than among ${medium}`,
        measured: `${Math.round(before)} ms, then ${Math.round(after)} ms: ${percent(growth)}`,
        met: growth <= 1.2,
      },
    ];
  });
}

function ratio(target: string, mine: number | undefined, theirs: number | undefined, most: number): Goal[] {
  if (mine === undefined || theirs === undefined) {
    return [];
  }
  const figures = `${mine.toFixed(1)} s against ${theirs.toFixed(1)} s`;
  return [{ target, measured: `${(mine / theirs).toFixed(2)} × (${figures})`, met: mine <= most * theirs }];
}

/** Seconds of several operations; undefined unless all were measured. */
function total(size: SizeResults, operations: readonly Operation[], tool: Tool): number | undefined {
  const seconds = operations.map((operation) => costOf(size, operation, tool)?.seconds);
  return seconds.reduce((sum, each) => (sum === undefined || each === undefined ? undefined : sum + each), 0);
}

/** @param most MiB */
function memory(whose: string, mib: number, most: number): Goal {
  return {
    target: `${whose}: at most ${most} MiB of memory`,
    measured: `${Math.round(mib)} MiB`,
    met: mib <= most,
  };
}

function percent(growth: number): string {
  const change = Math.round((growth - 1) * 100);
  return `${change < 0 ? "−" : "+"}${Math.abs(change)} %`;
}
