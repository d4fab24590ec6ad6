import { checkpointSeconds } from "../plan/findings/checkpoints.ts";

/**
 * What Pulumi gets for a run that writes the state down once, at its end, instead of before and after each object. Since
 * 3.104 of its command line.
 */
export const atItsEnd: Readonly<Record<string, string>> = { PULUMI_SKIP_CHECKPOINTS: "true" };

/** What a run is to do, as far as it matters to whoever may find it killed. */
export interface Doing {
  /** How many resources the run would make or change, and how many the state has. */
  readonly makes: number;
  readonly changes: number;
  readonly knows: number;
  /** URNs of what the state has and the run would delete. */
  readonly deletes: readonly string[];
  /** URNs of what it would make or change on a server of buckets, and of the Secrets with keys to them. */
  readonly buckets: readonly string[];
  /** Whether the state is doubtful already: operations are pending, or something that it has is gone. */
  readonly isStale: boolean;
}

/** So many seconds less are worth it. */
const worth = 1;

/**
 * Whether a run writes so much that it is worth to do without checkpoints, if it may. One that makes nothing leaves nothing
 * unknown where it is killed: it is always worth it, as long as nobody has to be asked whether it may.
 */
export const isWorthIt = (
  { makes, changes, knows }: Pick<Doing, "makes" | "changes" | "knows">,
  hasToAsk: boolean,
): boolean => (makes === 0 && !hasToAsk ? changes > 0 : checkpointSeconds(makes + changes, knows) > worth);

/** To find out whether a run may do without takes as long as the checkpoints of so many objects, however large the state is. */
const ofALook = 10;

/** Whether a run makes so much that it pays to find out, for who does not need to know it anyway. */
export const isWorthALook = ({ makes, knows }: Pick<Doing, "makes" | "knows">): boolean =>
  isWorthIt({ makes: makes - ofALook, changes: 0, knows }, true);

/**
 * Why a run should not do without checkpoints; undefined where it may. Killed, it leaves the state as it was before it.
 * What it had made, the next up takes over by its labels, or `kubecamp up` takes into the state and deletes if nobody is to have
 * it any more; and what it had changed is changed to the same again. But what it had deleted the state would still have: taken
 * back into the list meanwhile, that would be missing and held to be there. And what is on a server of buckets, nobody lists or compares; a key to it stands in the
 * state alone.
 */
export function needsCheckpoints({ deletes, buckets, isStale }: Doing): string | undefined {
  if (isStale) {
    return "an earlier run was interrupted; let one with checkpoints finish first";
  }
  return deletes.length > 0
    ? `it deletes what the state would go on to have if it were killed (${some(deletes)}); only what makes and changes is safe without`
    : buckets.length > 0
      ? `it makes or changes buckets or keys to them, which nobody would find if it were killed (${some(buckets)})`
      : undefined;
}

/** Said as a run begins that was to do without: that it does, where that is much, or that it takes longer for another that was killed. */
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
