import { counted } from "../../cluster/kinds/nameList.ts";
import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { Restless } from "../../cluster/write/pods.ts";
import type { Member, Settings } from "../../config/model/settings.ts";
import { standingLabel } from "../../naming/labels.ts";
import { namespaceName } from "../../naming/names.ts";
import type { Finding } from "../messages/catalogue.ts";
import { isOpen } from "../routes/openRoutes.ts";
import type { MemberStatus } from "./status.ts";

type Live = Pick<ClusterSnapshot, "namespaces" | "managedObjects" | "unread">;

/** Whose path was open until this run, although they keep their access. */
export function closingRoutes(
  members: readonly Member[],
  statuses: Readonly<Record<string, MemberStatus>>,
  settings: Pick<Settings, "stack" | "route">,
  snapshot: Live,
): Finding[] {
  return members.flatMap((member): Finding[] => {
    const status = statuses[member.name];
    const stays = status?.url !== undefined || status?.state === "unknown";
    if (!isOpen(member, settings, snapshot) || member.standing !== "active" || stays) {
      return [];
    }
    return [{ code: "closing", member: member.name, text: status?.reason ?? "route: false" }];
  });
}

/** Who is suspended or expired by this run, and was not before. */
export function closingDoors(members: readonly Member[], { namespaces }: Live): Finding[] {
  const closing = members.filter((member) => {
    const home = namespaces.get(namespaceName(member));
    return member.standing !== "active" && home?.labels[standingLabel] === "active";
  });
  return closing.map(({ name, standing, expires }) => ({
    code: "accessEnds",
    member: name,
    text: standing === "expired" ? `(the last day was ${expires})` : "",
  }));
}

/** Whose pods are stopped, and how many. */
export const stoppedPods = (restless: readonly Restless[]): Finding[] =>
  restless.map(({ member, pods }) => ({ code: "podsStop", member, text: podsText(pods) }));

/** One warning that says whose pods an up has left alone. */
export function leftRunningWarning(left: readonly Restless[]): string {
  return (
    `Suspended or expired, and pods still run, because this run was not to touch their quotas: ${named(left)}.\n` +
    "A 'pulumi up' without --target stops them."
  );
}

function named(restless: readonly Restless[]): string {
  return restless.map(({ member, pods }) => `${member} ${podsText(pods)}`).join(", ");
}

const podsText = (pods: number) => `(${counted(pods, "pod")})`;
