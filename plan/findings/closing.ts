import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { Restless } from "../../cluster/write/pods.ts";
import { hasAccess, type Member, mayRun } from "../../config/member/member.ts";
import { standingLabel } from "../../config/names/labels.ts";
import { namespaceName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import type { Finding } from "../messages/finding.ts";
import { isOpen } from "../routes/openRoutes.ts";
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

/** Members whose access this run ends because they are suspended or expired. */
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

/** Members whose pods are stopped, with the number of pods. */
export const stoppedPods = (restless: readonly Restless[]): Finding<"podsStop">[] =>
  restless.map(({ member, pods }) => ({ code: "podsStop", member, facts: { pods } }));

/** Members whose pods an up has left running, with the number of pods. */
export const leftRunning = (left: readonly Restless[]): Finding<"leftRunning">[] =>
  left.map(({ member, pods }) => ({ code: "leftRunning", member, facts: { pods } }));
