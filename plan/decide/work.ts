import type { PlannedKind } from "../rows/row.ts";
import { type Differing, differingIn, type PlanAndState } from "./differing.ts";

/** Least saving that counts, in seconds. */
const worth = 1;

/** For each time that Pulumi writes to a folder; measured on a quiet machine with 12 members more among 100. */
const secondsPerResource = 1.4e-4;

/** How a run is to write Pulumi's state: once, at its end, or before and after each object. */
interface Writing {
  readonly isOnce: boolean;
  readonly note?: string;
}

/**
 * A run that is killed without checkpoints leaves the earlier state: the next up takes over its objects by their names,
 * makes changes again, and deletes once more what members who stay are not to have, which succeeds. But the state would
 * still have members who left, only it has the keys of buckets, and no run compares all of a Service or a ConfigMap, nor
 * what a project's own program makes.
 * @param names only these members' part of a run; default: everybody's
 */
export function writingOf(known: PlanAndState, names: readonly string[] | undefined, refreshes: boolean): Writing {
  const all = differingIn(known);
  const own = all.filter(({ member }) => names === undefined || names.includes(member ?? ""));
  const those = (each: Differing["what"]) => own.filter(({ what }) => what === each);
  const [made, changed, gone] = [those("made"), those("changed"), those("gone")];
  const { names: there } = known.state;
  if (!isWorthIt(made.length + gone.length, changed.length, there.size)) {
    return { isOnce: false };
  }
  if (all.some(({ what, refresh }) => refresh && what !== "work")) {
    return {
      isOnce: false,
      note: "writing the state before and after each object, which takes longer, since an earlier run was interrupted",
    };
  }
  const staying = new Set(known.members.map(({ member }) => member.name));
  const isOnce = !(
    (known.hasProgram && names === undefined) ||
    own.some(({ what }) => what === "unfinished") ||
    gone.some(({ member = "", name }) => !staying.has(member) || name.includes("/bucket")) ||
    [...made, ...changed].some(isKeptByState) ||
    changed.some(({ kind }) => kind === "Service" || kind === "ConfigMap") ||
    (refreshes && [...there].some((name) => name.includes("/bucket")))
  );
  return { isOnce, ...(isOnce && made.length + gone.length > 0 ? { note: "writing the state at the end alone" } : {}) };
}

/**
 * Whether a run without checkpoints saves enough time. One that only changes leaves nothing unknown if it is killed.
 * @param makes what it makes or deletes
 */
export const isWorthIt = (makes: number, changes: number, there: number): boolean =>
  makes === 0 ? changes > 0 : checkpointSeconds(makes + changes, there) > worth;

/** Pulumi's own backends write the whole state before and after each object. @param there resources already in it */
const checkpointSeconds = (written: number, there: number): number =>
  written * (2 * there + written) * secondsPerResource;

const kinds: readonly (PlannedKind | "bucket" | undefined)[] = ["bucket", "BucketClaim", "BucketAccess", "Secret"];
const isKeptByState = ({ kind }: Differing) => kinds.includes(kind);
