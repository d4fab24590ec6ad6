import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { Member } from "../../config/member/member.ts";
import { nextSleeps } from "../../plan/decisions/sleep.ts";
import type { MemberOverview } from "../../plan/members/overview.ts";
import type { Change } from "../../runs/progress.ts";

export interface BoardModel {
  /** Name of the stack; undefined for the members of all stacks. */
  readonly stack: string | undefined;
  /** When the cluster was read, as ISO 8601 has it in UTC. */
  readonly readAt: string;
  readonly members: readonly BoardMember[];
  /** Differences of objects that all members share; undefined if nobody has compared. */
  readonly differs: readonly BoardDifference[] | undefined;
  /** The last runs, the newest first; undefined if nobody has recorded them. */
  readonly ups: readonly BoardUp[] | undefined;
}

export interface BoardMember extends MemberOverview {
  /** From the stack's files; empty if they were not read. */
  readonly labels: Readonly<Record<string, string>>;
  /** When they fall asleep or wake next; undefined without a schedule, or if it is not known. */
  readonly turn: Turn | undefined;
  /** Differences between their objects and what a run makes; undefined if nobody has compared. */
  readonly differs: readonly BoardDifference[] | undefined;
  readonly invitation: BoardInvitation | undefined;
}

interface BoardInvitation {
  readonly markdown: string;
  /** Such as `en`; undefined for an admin's own template. */
  readonly language: string | undefined;
}

export interface Turn {
  readonly to: "asleep" | "awake";
  readonly at: string;
  readonly timeZone: string;
}

export interface BoardDifference {
  /** Undefined for a shared object, such as a ClusterRole, which only a full run mends. */
  readonly member: string | undefined;
  readonly what: "route opens" | "route closes" | "missing" | "changed" | "falls asleep" | "wakes";
  /** Its key (`objectKey`), such as `ResourceQuota ada/quota`; for a route, that of the object that opens it. */
  readonly object?: string;
}

export interface BoardUp {
  readonly at: string;
  readonly seconds: number;
  /** Names of the members it was about; undefined for the whole stack. */
  readonly members: readonly string[] | undefined;
  /** Why the watch ran it, such as `route opens`. */
  readonly why: string;
  readonly outcome: "succeeded" | "failed" | "locked" | "cancelled";
  readonly reason?: string;
  readonly changes: readonly Change[];
}

export interface BoardFacts extends Pick<BoardModel, "stack" | "ups"> {
  readonly members: readonly MemberOverview[];
  readonly readAt: Date;
  readonly labels?: ReadonlyMap<string, BoardMember["labels"]>;
  readonly turns?: ReadonlyMap<string, Turn>;
  /** By member's name; the text is made only when a page shows it. */
  readonly invitations?: (member: string) => BoardInvitation | undefined;
  readonly differs?: readonly BoardDifference[];
}

export function boardModel({ members, readAt, labels, turns, invitations, differs, ...rest }: BoardFacts): BoardModel {
  const byMember = differs && Map.groupBy(differs, ({ member }) => member);
  return {
    ...rest,
    readAt: readAt.toISOString(),
    members: members.map((member) => ({
      ...member,
      labels: labels?.get(member.member) ?? {},
      turn: turns?.get(member.member),
      differs: byMember && (byMember.get(member.member) ?? []),
      get invitation() {
        return invitations?.(member.member);
      },
    })),
    differs: byMember && (byMember.get(undefined) ?? []),
  };
}

/** The next time at which each member falls asleep or wakes, by name. @param members as they are `atMoment` */
export function turnsOf(
  members: readonly Member[],
  live: Pick<ClusterSnapshot, "managedObjects">,
  now: Date,
): Map<string, Turn> {
  const zone = ({ schedule }: Member) => schedule?.timeZone ?? "UTC";
  const wakes = members.flatMap((member): [string, Turn][] =>
    member.sleep === undefined ? [] : [[member.name, { to: "awake", at: member.sleep.until, timeZone: zone(member) }]],
  );
  const sleeps = [...nextSleeps(members, live, now)].map(([member, at]): [string, Turn] => [
    member.name,
    { to: "asleep", at: at.toISOString(), timeZone: zone(member) },
  ]);
  return new Map([...wakes, ...sleeps]);
}
