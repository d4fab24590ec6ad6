import type { Classified } from "../compare/classify.ts";
import type { Finding } from "../messages/finding.ts";
import type { Plan, Planned } from "../plan.ts";

/** Number of new objects from which a run takes noticeably long. */
const many = 200;

/**
 * Seconds per resource of a state for each time that Pulumi writes the state to a folder on a quiet machine; measured with
 * 12 more members among 100, and 100 in an empty stack.
 */
const secondsPerResource = 1.4e-4;

/**
 * Seconds that Pulumi's own backends take to write the whole state before and after each object that is made.
 * @param there resources already in the state
 */
export const checkpointSeconds = (made: number, there: number): number =>
  made * (2 * there + made) * secondsPerResource;

/**
 * Warns if a run makes so many objects that it spends most of its time on writing the state.
 * @param targeted the plan for the targeted members
 */
export function slowCheckpoints(
  { members, settings: { stack } }: Pick<Plan, "members" | "settings">,
  targeted: Pick<Plan, "members">,
): Finding[] {
  const made = toMake(targeted);
  if (made <= many) {
    return [];
  }
  const there = objectsOf({ members }).filter((each) => !isToMake(each)).length;
  return [{ code: "slow", facts: { made, seconds: checkpointSeconds(made, there), stack } }];
}

/** Number of objects that a run for these members makes, as far as the cluster shows. */
export const toMake = ({ members }: Pick<Planned, "members">): number => objectsOf({ members }).filter(isToMake).length;

const objectsOf = ({ members }: Pick<Planned, "members">) => members.flatMap(({ classified }) => classified);
const isToMake = ({ standing }: Classified) => standing === "toMake";
