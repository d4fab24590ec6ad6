import { type ClusterSnapshot, guardKey } from "../cluster/snapshot.ts";
import type { Member, Settings } from "../config/settings.ts";
import { memberLabel, stackLabel, standingLabel } from "../naming/labels.ts";
import { httpRouteName, ingressName, namespaceName } from "../naming/names.ts";
import type { MemberStatus } from "./status.ts";

type Live = Pick<ClusterSnapshot, "ingresses" | "namespaces" | "guards">;

/** One warning for all whose path was open until this run, although they keep their access; none when nobody's was. */
export function closingRoutesWarning(
  members: readonly Member[],
  statuses: Readonly<Record<string, MemberStatus>>,
  { stack }: Settings,
  { ingresses, guards }: Live,
): string | undefined {
  const lines = members.flatMap((member) => {
    const httpRoute = guards.get(guardKey("HTTPRoute", httpRouteName(member), namespaceName(member)));
    const wasOpen = [ingresses.get(ingressName(member)), httpRoute].some(
      (live) => live?.labels[stackLabel] === stack && live.labels[memberLabel] === member.name,
    );
    const status = statuses[member.name];
    if (!wasOpen || member.standing !== "active" || status?.url !== undefined) {
      return [];
    }
    return [`  ${member.name}: ${status?.reason ?? "route: false"}`];
  });
  return lines.length === 0 ? undefined : ["Routes that were open, and that 'pulumi up' closes:", ...lines].join("\n");
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
