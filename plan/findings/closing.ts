import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { Restless } from "../../cluster/write/pods.ts";
import type { Sleeper } from "../../cluster/write/wakeUp.ts";
import { hasAccess, type Member, mayRun } from "../../config/member/member.ts";
import { standingLabel } from "../../config/names/labels.ts";
import { namespaceName } from "../../config/names/names.ts";
import { sleepText } from "../../config/schedule.ts";
import type { Settings } from "../../config/settings.ts";
import { isOpen } from "../live/openRoutes.ts";
import type { Finding } from "../words/finding.ts";
import type { MemberStatus } from "./status.ts";

type Live = Pick<ClusterSnapshot, "namespaces" | "managedObjects" | "unread">;

/** Routes that this run closes although the member keeps access. */
export function closingRoutes(
  members: readonly Member[],
  statuses: Readonly<Record<string, MemberStatus>>,
  settings: Pick<Settings, "stack" | "route">,
  snapshot: Live,
): Finding[] {
  return members.flatMap((member): Finding[] => {
    const status = statuses[member.name];
    const stays = status?.url !== undefined || status?.state === "unknown";
    if (!isOpen(member, settings, snapshot) || !mayRun(member) || stays) {
      return [];
    }
    return [{ code: "closing", member: member.name, facts: { reason: status?.reason ?? "route: false" } }];
  });
}

export function closingDoors(members: readonly Member[], { namespaces }: Live): Finding[] {
  const closing = members.filter((member) => {
    const home = namespaces.get(namespaceName(member));
    return !hasAccess(member) && ["active", "asleep"].includes(home?.labels[standingLabel] ?? "");
  });
  return closing.map(({ name, standing, expires, leaves }) => ({
    code: "accessEnds",
    member: name,
    facts: { lastDay: standing === "expired" ? expires : undefined, hasLeft: leaves !== undefined },
  }));
}

export const stoppedPods = (restless: readonly Restless[]): Finding<"podsStop">[] =>
  restless.map(({ member, pods }) => ({ code: "podsStop", member, facts: { pods } }));

export const leftRunning = (left: readonly Restless[]): Finding<"leftRunning">[] =>
  left.map(({ member, pods }) => ({ code: "leftRunning", member, facts: { pods } }));

/** Members who are asleep. Without a watch, they sleep on until somebody runs an up. */
export const sleepTold = (members: readonly Member[]): Finding<"asleep">[] =>
  members
    .filter(({ standing }) => standing === "asleep")
    .map((member) => ({ code: "asleep", member: member.name, facts: { text: sleepText(member) } }));

/** Members of whom a run has not done all that sleeping, waking or coming back takes. */
export const unsettledSleepers = (
  failed: ReadonlyMap<string, string>,
  sleepers: readonly Pick<Sleeper, "member" | "wasSuspended">[],
): Finding<"sleepUnsettled" | "backLater">[] => {
  const back = new Set(sleepers.flatMap(({ member, wasSuspended }) => (wasSuspended ? [member] : [])));
  return [...failed].map(([member, why]) => ({
    code: back.has(member) ? "backLater" : "sleepUnsettled",
    member,
    facts: { why },
  }));
};
