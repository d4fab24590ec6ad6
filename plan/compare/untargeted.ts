import { isOfRoute } from "../../naming/logicalNames.ts";
import type { Outlook } from "../decisions/readiness.ts";
import type { MemberPlan } from "../memberPlan.ts";
import { isOurs } from "./foreign.ts";

/**
 * What is true of a member whom a run leaves alone: a path that could open is not open before a run has opened it.
 * @param readiness what it would be by this run
 */
export function currentOutlook(
  { classified, settings }: Pick<MemberPlan, "classified" | "settings">,
  readiness: Outlook,
): Outlook {
  if (readiness.state !== "ready") {
    return readiness;
  }
  const lacks = classified
    .filter(({ object }) => ["namespace", "service"].includes(object.part) || isOfRoute(object))
    // A Service of theirs that is there is fit, or nothing could open, whoever made it.
    .some(({ object, live }) => live === undefined || (object.part !== "service" && !isOurs(live, settings)));
  return lacks ? { state: "pending", reason: "opens with the next run" } : readiness;
}
