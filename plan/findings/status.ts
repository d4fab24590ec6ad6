import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { Member } from "../../config/model/settings.ts";
import type { Target } from "../../config/model/target.ts";
import { namespaceName, routeUrl } from "../../naming/names.ts";
import { currentOutlook } from "../compare/untargeted.ts";
import type { Outlook, Readiness } from "../decisions/readiness.ts";
import { type StarterStatus, starterStatusOf } from "../decisions/starter/status.ts";
import type { MemberPlan } from "../memberPlan.ts";
import type { Finding } from "../messages/finding.ts";
import type { Planned } from "../plan.ts";

/** A member's entry in the stack's output `members`. */
export interface MemberStatus {
  readonly type: string;
  readonly namespace: string;
  readonly state: Outlook["state"];
  /** Where the member's Service can be reached, once the route is open; absent for one without a route. */
  readonly url?: string;
  /** Why it is not, otherwise. */
  readonly reason?: string;
  /** Absent for one without a starter app. */
  readonly starter?: StarterStatus;
  /** Names of their buckets on the server, or where a driver names them, of their claims; absent for one without any. */
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

/**
 * Those of all members by name, also of whom a run leaves alone: the stack's outputs are written whole by each.
 * @param target whom the run is about; default: everybody
 * @param waited what became of those who were waited for
 */
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

type Live = Pick<ClusterSnapshot, "managedObjects" | "services" | "unread">;

function besideOf(plan: MemberPlan, snapshot: Live) {
  const { member, settings } = plan;
  const starter = starterStatusOf(plan, snapshot);
  const isNamedByDriver = settings.storage?.kind === "cosi";
  const buckets = member.buckets?.map(({ name, bucketName }) => (isNamedByDriver ? name : bucketName)) ?? [];
  return { ...(starter === undefined ? {} : { starter }), ...(buckets.length === 0 ? {} : { buckets }) };
}

/**
 * Whose path is not open.
 * @param members whom the run is about
 * @param statuses theirs, and maybe others'
 * @param late names of those of whom an error tells already
 */
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
