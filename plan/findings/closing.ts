import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { Member, Settings } from "../../config/model/settings.ts";
import { standingLabel } from "../../naming/labels.ts";
import { namespaceName } from "../../naming/names.ts";
import { warningTitles } from "../../naming/warnings.ts";
import { isOpen } from "../routes/openRoutes.ts";
import type { MemberStatus } from "./status.ts";

type Live = Pick<ClusterSnapshot, "ingresses" | "namespaces" | "managedObjects" | "unread">;

/** One warning for all whose path was open until this run, although they keep their access; none when nobody's was. */
export function closingRoutesWarning(
  members: readonly Member[],
  statuses: Readonly<Record<string, MemberStatus>>,
  settings: Pick<Settings, "stack">,
  snapshot: Live,
): string | undefined {
  const lines = members.flatMap((member) => {
    const status = statuses[member.name];
    const stays = status?.url !== undefined || status?.state === "unknown";
    if (!isOpen(member, settings, snapshot) || member.standing !== "active" || stays) {
      return [];
    }
    return [`  ${member.name}: ${status?.reason ?? "route: false"}`];
  });
  return lines.length === 0 ? undefined : [warningTitles.closing, ...lines].join("\n");
}

/** One warning for all who are suspended or expired by this run; none when nobody is who was not before. */
export function closingDoorsWarning(members: readonly Member[], { namespaces }: Live): string | undefined {
  const closing = members.filter((member) => {
    const home = namespaces.get(namespaceName(member));
    return member.standing !== "active" && home?.labels[standingLabel] === "active";
  });
  const names = closing.map(({ name, standing, expires }) =>
    standing === "expired" ? `${name} (the last day was ${expires})` : name,
  );
  return names.length === 0
    ? undefined
    : `Suspended or expired, and their access and route closed by 'pulumi up': ${names.join(", ")}`;
}
