import { checkpointSeconds } from "../plan/findings/checkpoints.ts";

/**
 * Environment of a run that writes the state once, at its end, instead of before and after each object. Needs Pulumi
 * CLI 3.104.
 */
export const atItsEnd: Readonly<Record<string, string>> = { PULUMI_SKIP_CHECKPOINTS: "true" };

/** Planned work of a run, as far as it matters if the run is killed. */
export interface Doing {
  /** Numbers of resources that the run would make or change, and that the state has. */
  readonly makes: number;
  readonly changes: number;
  readonly knows: number;
  /** URNs in the state that the run would delete. */
  readonly deletes: readonly string[];
  /** URNs on a server of buckets, and of Secrets with their keys, that the run would make or change. */
  readonly buckets: readonly string[];
  /** URNs of Services and ConfigMaps that the run would change: no run compares all of a live one with the declared one. */
  readonly uncompared: readonly string[];
  /** Whether the state is doubtful already: operations are pending, or one of its objects is gone. */
  readonly isStale: boolean;
}

/** Least saving that counts, in seconds. */
const worth = 1;

/**
 * Whether a run without checkpoints saves enough time, where it is safe. A run that makes nothing leaves nothing
 * unknown if it is killed: it always qualifies, unless Pulumi has to be asked for the backend first.
 */
export const isWorthIt = (
  { makes, changes, knows }: Pick<Doing, "makes" | "changes" | "knows">,
  hasToAsk: boolean,
): boolean => (makes === 0 && !hasToAsk ? changes > 0 : checkpointSeconds(makes + changes, knows) > worth);

/** Time to find out whether a run needs checkpoints, in objects' checkpoints; the same for a state of any size. */
const ofALook = 10;

/** Whether a run makes enough for it to pay to find out, if nothing else needs the answer. */
export const isWorthALook = ({ makes, knows }: Pick<Doing, "makes" | "knows">): boolean =>
  isWorthIt({ makes: makes - ofALook, changes: 0, knows }, true);

/**
 * Reason why a run must write checkpoints; undefined if it need not. A killed run without them leaves the earlier
 * state. The next up takes over objects that it made, by their labels; `kubecamp up` takes unwanted ones into the state
 * and deletes them. Changes are made again. But the state would still have deleted objects: if their member is back on
 * the list by then, they are missing and count as present. And nobody lists or compares objects on a server of buckets;
 * only the state has their keys. Nor do runs compare all of a Service or a ConfigMap: taken back in the list after a kill,
 * a change of one would stay on the cluster.
 */
export function needsCheckpoints({ deletes, buckets, uncompared, isStale }: Doing): string | undefined {
  if (isStale) {
    return "an earlier run was interrupted; let one with checkpoints finish first";
  }
  return deletes.length > 0
    ? `it deletes objects that the state would still have if it were killed (${some(deletes)}); only a run that creates and changes is safe without`
    : buckets.length > 0
      ? `it creates or changes buckets or their keys, which no run would find if it were killed (${some(buckets)})`
      : uncompared.length > 0
        ? `it changes Services or ConfigMaps, which later runs would not compare if it were killed (${some(uncompared)})`
        : undefined;
}

/**
 * Note at the start of a run that was to skip checkpoints: that it does, if that matters, or that it is slower because
 * an earlier run was killed.
 */
export function checkpointsNote(doing: Doing): string[] {
  if (needsCheckpoints(doing) === undefined) {
    return doing.makes === 0 ? [] : ["writing the state at the end alone"];
  }
  return doing.isStale
    ? ["writing the state before and after each object, which takes longer, since an earlier run was interrupted"]
    : [];
}

const some = ([first = "", ...others]: readonly string[]) =>
  `${first.split("::").at(-1)}${others.length === 0 ? "" : ` and ${others.length} more`}`;
