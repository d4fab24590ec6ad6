import { isOfRoute } from "../../naming/logicalNames.ts";
import type { Outlook } from "../decisions/readiness.ts";
import type { MemberPlan } from "../memberPlan.ts";
import { isOurs } from "./foreign.ts";

/**
 * Outlook of a member outside the run's targets: a path that could open stays closed until a run opens it.
 * @param readiness the outlook with this run
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
    // A Service that is there is fit, whoever made it: otherwise the path could not open.
    .some(({ object, live }) => live === undefined || (object.part !== "service" && !isOurs(live, settings)));
  return lacks ? { state: "pending", reason: "opens with the next run" } : readiness;
}
