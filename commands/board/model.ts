import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { Member } from "../../config/member/member.ts";
import { defined } from "../../config/values/maps.ts";
import { nextSleeps } from "../../plan/decisions/sleep.ts";
import { wakeLeft } from "../../plan/decisions/wakeAnswer.ts";
import type { MemberOverview } from "../../plan/members/overview.ts";
import type { Change } from "../../runs/progress.ts";

interface BoardInvitation {
  readonly markdown: string;
  /** Such as `en`; undefined for an admin's own template. */
  readonly language: string | undefined;
}

export interface Turn {
  readonly to: "asleep" | "awake";
  readonly at: string;
  readonly timeZone: string;
  /** How long the member may yet be awake before that by themselves, such as `2h`. Default: they may not. */
  readonly wakeFor?: string;
}

export interface BoardDifference {
  /** Undefined for a shared object, such as a ClusterRole, which only a full run mends. */
  readonly member: string | undefined;
  readonly what:
    | "route opens"
    | "route closes"
    | "missing"
    | "changed"
    | "falls asleep"
    | "wakes"
    | "wake refused"
    | "staff ends";
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

export interface BoardFacts {
  /** Undefined for the members of all stacks. */
  readonly stack: string | undefined;
  /** The last runs, the newest first; undefined if nobody has recorded them. */
  readonly ups: readonly BoardUp[] | undefined;
  readonly members: readonly MemberOverview[];
  readonly readAt: Date;
  readonly labels?: ReadonlyMap<string, Readonly<Record<string, string>>>;
  readonly turns?: ReadonlyMap<string, Turn>;
  /** By member's name; the text is made only when a page shows it. */
  readonly invitations?: (member: string) => BoardInvitation | undefined;
  readonly differs?: readonly BoardDifference[];
}

/** Content of the board's pages, from one look at the cluster. Differences are undefined if nobody has compared. */
export type BoardModel = ReturnType<typeof boardModel>;
export type BoardMember = BoardModel["members"][number];

export function boardModel({ members, readAt, labels, turns, invitations, differs, ...rest }: BoardFacts) {
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
  const wakes = members.flatMap((member): [string, Turn][] => {
    const { name, sleep } = member;
    const wakeFor = wakeLeft(member, live);
    return sleep === undefined
      ? []
      : [[name, { to: "awake", at: sleep.until, timeZone: zone(member), ...defined({ wakeFor }) }]];
  });
  const sleeps = [...nextSleeps(members, live, now)].map(([member, at]): [string, Turn] => [
    member.name,
    { to: "asleep", at: at.toISOString(), timeZone: zone(member) },
  ]);
  return new Map([...wakes, ...sleeps]);
}
