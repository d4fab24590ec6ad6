import { leavers } from "../cluster/offboarding/leavers.ts";
import { isOpen } from "../cluster/openRoutes.ts";
import { readinessOf } from "../cluster/readiness.ts";
import type { ClusterSnapshot } from "../cluster/snapshot.ts";
import type { Aim } from "../config/aim.ts";
import type { Member, Settings } from "../config/settings.ts";
import { standingLabel, traitsLabel, traitsText } from "../naming/labels.ts";
import { namespaceName } from "../naming/names.ts";

/** Whether a run deletes something that somebody could still use: a route, access, or all that is a leaver's. */
export function takesAway(list: readonly Member[], aim: Aim, settings: Settings, snapshot: ClusterSnapshot): boolean {
  const losesKeys = (member: Member) => {
    const { labels = {} } = snapshot.namespaces.get(namespaceName(member)) ?? {};
    const { [standingLabel]: standing = member.standing, [traitsLabel]: traits = traitsText(member.type) } = labels;
    return (standing === "active" && member.standing !== "active") || traits !== traitsText(member.type);
  };
  const losesRoute = (member: Member) =>
    isOpen(member, settings, snapshot) &&
    (member.route === undefined || readinessOf(member, settings, snapshot).state !== "ready");
  return (
    (aim.isWhole && leavers(list, settings, snapshot).length > 0) ||
    aim.members.some((member) => losesKeys(member) || losesRoute(member))
  );
}
