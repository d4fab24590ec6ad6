import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { Member } from "../../config/member/member.ts";
import { isOfRoute } from "../../config/names/logicalNames.ts";
import { namespaceName, routeUrl } from "../../config/names/names.ts";
import type { Outlook, Readiness } from "../decisions/readiness.ts";
import { type StarterStatus, starterStatusOf } from "../decisions/starterPlan.ts";
import type { Target } from "../decisions/target.ts";
import { isOurs } from "../live/owner.ts";
import type { MemberPlan } from "../members/memberPlan.ts";
import type { Planned } from "../members/plan.ts";
import type { Finding } from "../words/finding.ts";

/** A member's entry in the stack's output `members`. */
export interface MemberStatus {
  readonly type: string;
  readonly namespace: string;
  readonly state: Outlook["state"];
  /** URL of the member's Service once the route is open; absent without a route. */
  readonly url?: string;
  /** Why the state is not `ready`. */
  readonly reason?: string;
  readonly starter?: StarterStatus;
  /** Names of the buckets on the server, or of their claims if a driver names the buckets; absent without buckets. */
  readonly buckets?: readonly string[];
}

export function statusOf(
  member: Member,
  readiness: Outlook,
  beside: Pick<MemberStatus, "starter" | "buckets"> = {},
): MemberStatus {
  return {
    type: member.type.name,
    namespace: namespaceName(member),
    ...(readiness.state === "ready"
      ? { state: "ready", ...(member.route === undefined ? {} : { url: routeUrl(member.route) }) }
      : { state: readiness.state, reason: readiness.reason }),
    ...beside,
  };
}

/** Also of members that the run leaves alone: it writes all of the outputs. @param waited results of its wait */
export function statusesOf(
  { members, snapshot }: Planned<Live>,
  target?: Target,
  waited: ReadonlyMap<string, Readiness> = new Map(),
): Record<string, MemberStatus> {
  const targeted = target && new Set(target.members);
  const statuses = members.map((plan) => {
    const { member } = plan;
    const readiness = waited.get(member.name) ?? plan.readiness;
    const now = targeted?.has(member) !== false ? readiness : currentOutlook(plan, readiness);
    return [member.name, statusOf(member, now, besideOf(plan, snapshot))] as const;
  });
  return Object.fromEntries(statuses);
}

/** Names of members whose path is not open yet: the stack's output `pending`. */
export const pendingIn = (statuses: Readonly<Record<string, Pick<MemberStatus, "state">>>): string[] =>
  Object.keys(statuses).filter((name) => statuses[name]?.state === "pending");

type Live = Pick<ClusterSnapshot, "managedObjects" | "services" | "unread">;

function besideOf(plan: MemberPlan, snapshot: Live) {
  const { member, settings } = plan;
  const starter = starterStatusOf(plan, snapshot);
  const isNamedByDriver = settings.storage?.kind === "cosi";
  const buckets = member.buckets?.map(({ name, bucketName }) => (isNamedByDriver ? name : bucketName)) ?? [];
  return { ...(starter === undefined ? {} : { starter }), ...(buckets.length === 0 ? {} : { buckets }) };
}

/** @param late names of members whom an error reports already */
export function pendingRoutes(
  members: readonly Pick<Member, "name">[],
  statuses: Readonly<Record<string, MemberStatus>>,
  late: ReadonlySet<string>,
): Finding[] {
  return members.flatMap(({ name }) => {
    const { state, reason } = statuses[name] ?? {};
    return state === "pending" && !late.has(name)
      ? [{ code: "pending", member: name, facts: { reason: `${reason}` } }]
      : [];
  });
}

/** A path that could open stays closed until a run opens it. @param readiness the outlook with this run */
function currentOutlook(
  { classified, settings }: Pick<MemberPlan, "classified" | "settings">,
  readiness: Outlook,
): Outlook {
  if (readiness.state !== "ready") {
    return readiness;
  }
  const lacks = classified
    .filter(({ object }) => ["namespace", "service"].includes(object.part) || isOfRoute(object))
    // A Service that is there is fit, whoever made it: otherwise the path could not open.
    .some(({ object, live }) => live === undefined || (object.part !== "service" && !isOurs(live, settings)));
  return lacks ? { state: "pending", reason: "opens with the next run" } : readiness;
}
