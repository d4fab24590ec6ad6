import type { Classified } from "../compare/classify.ts";
import type { Finding } from "../messages/finding.ts";
import type { Plan, Planned } from "../plan.ts";

/** So many objects more, and somebody notices how long it takes. */
const many = 200;

/**
 * Seconds that one resource of a state takes each time that it is written down, in a folder on a quiet machine: by what 12 members
 * more took among 100, and 100 in an empty stack (docs/reference/performance.md).
 */
const secondsPerResource = 1.4e-4;

/**
 * Seconds that Pulumi's own backends take to write down all of the state before and after each object that is made.
 * @param there resources that the state has already
 */
export const checkpointSeconds = (made: number, there: number): number =>
  made * (2 * there + made) * secondsPerResource;

/**
 * That a run makes so much that most of its time goes into writing the state down.
 * @param targeted those of the plan whom the run is about
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

/** How many objects a run about these members makes, as far as the cluster shows. */
export const toMake = ({ members }: Pick<Planned, "members">): number => objectsOf({ members }).filter(isToMake).length;

const objectsOf = ({ members }: Pick<Planned, "members">) => members.flatMap(({ classified }) => classified);
const isToMake = ({ standing }: Classified) => standing === "toMake";
