import { keyOf } from "../../cluster/kinds/objectName.ts";
import { liveOf } from "../../cluster/read/snapshot.ts";
import { firstFew } from "../../config/values/sentences.ts";
import { onTheirWay } from "../live/removedMembers.ts";
import { ownedByOthers } from "../members/owners.ts";
import { unrecorded } from "../members/unrecorded.ts";
import { isRead } from "../rows/manifest.ts";
import { type Differing, digestOn, type PlanAndState } from "./differing.ts";
import { anotherCluster, obstacles } from "./obstacles.ts";

interface Whole {
  readonly why: string;
  /** Whether the state is wrong about the cluster. */
  readonly refresh: boolean;
  /** Whether a targeted run would do other things for its members than a full one, until a full one has run. */
  readonly isBeforeAll: boolean;
}

export function wholesOf(known: PlanAndState, differing: readonly Differing[]): Whole[] {
  const { state, list, removedMembers } = known;
  if (state.isEmpty) {
    return [before("it has had no up yet")];
  }
  const shared = differing.filter(({ member }) => member === undefined);
  const declared = shared.filter(({ isByHand, what }) => !isByHand && what !== "unfinished").map(({ name }) => name);
  const byHand = shared.filter(({ isByHand }) => isByHand);
  const isLost = shared.some(({ what, refresh }) => what === "changed" && refresh);
  const ours = new Set(known.members.map(({ member }) => member.name));
  const listed = new Set(list.map(({ name }) => name));
  const moved = differingMembers(differing).filter((name) => !ours.has(name) && listed.has(name));
  const differs = new Set(differingMembers(differing));
  // A run can't target members that are not in the state; a full one reports them.
  const leaving = removedMembers.filter((one) => !onTheirWay(one) && !differs.has(one.name)).map(({ name }) => name);
  const left = leftIn(known).map(({ object }) => keyOf(object));
  return [
    ...when(
      shared.some(({ what }) => what === "unfinished"),
      before("a run was interrupted in the shared objects", { refresh: true }),
    ),
    ...when(declared.length > 0, before(`shared objects differ (${firstFew(declared, 3)})`, { refresh: isLost })),
    // Without the policies that guard members, nobody gets access.
    ...when(isLost, before("shared objects were deleted by hand", { refresh: true })),
    ...when(
      byHand.some(({ kind = "" }) => kind.includes("AdmissionPolicy")),
      before("the policies that guard members were changed by hand"),
    ),
    ...when(!isSeenThrough(known), before("no full run has ended with these settings and this version of kubecamp")),
    ...when(
      leaving.length > 0,
      after(
        `${firstFew(leaving, 3)} ${leaving.length === 1 ? "leaves" : "leave"}, and Pulumi's state does not know it`,
      ),
    ),
    ...when(left.length > 0, after(`nobody is to have ${firstFew(left, 3)}, and Pulumi's state does not know it`)),
    ...when(moved.length > 0, after(`${firstFew(moved, 3)} ${moved.length === 1 ? "is" : "are"} in another stack now`)),
    ...when(byHand.length > 0, after("shared objects were changed by hand")),
    ...when(obstacles(known).length > 0, after("an object with the same name is in the way")),
    ...when(ownedByOthers({ ...known, members: [] }).length > 0, after("shared objects have another owner")),
    ...when(known.hasProgram, after("the project has a program of its own")),
  ];
}

export const differingMembers = (differing: readonly Differing[]): string[] =>
  [...new Set(differing.flatMap(({ member }) => member ?? []))].sort();

export const leftIn = (known: PlanAndState) =>
  anotherCluster(known.settings, known.snapshot) === undefined ? unrecorded(known, known.state.names) : [];

function isSeenThrough({ shared, snapshot, digest }: PlanAndState): boolean {
  const carrier = shared.find(isRead);
  const live = carrier && liveOf(carrier, snapshot);
  return live === undefined || digestOn(live) === digest;
}

const when = (is: boolean, whole: Whole): Whole[] => (is ? [whole] : []);
const before = (why: string, { refresh = false } = {}): Whole => ({ why, refresh, isBeforeAll: true });
const after = (why: string): Whole => ({ why, refresh: false, isBeforeAll: false });
