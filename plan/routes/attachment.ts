import { refusalOf } from "../../cluster/read/gateway.ts";
import { objectKey } from "../../cluster/read/snapshot.ts";
import { httpRouteName, namespaceName } from "../../naming/names.ts";
import { isUnread } from "../decisions/unread/unread.ts";
import type { PlannedRoutes } from "./drivers/driver.ts";

/** One warning for all routes that lead nowhere although they are open; none when the Gateway serves them all. */
export function unattachedWarning({
  members,
  settings,
  snapshot: { gateway: live, managedObjects, unread },
}: PlannedRoutes): string | undefined {
  const { gateway } = settings.route;
  if (gateway === undefined || isUnread("Gateway", { unread })) {
    return undefined;
  }
  if (live === undefined || live.terminating) {
    const state = live === undefined ? "does not exist" : "is being deleted";
    return (
      `Gateway '${gateway.namespace}/${gateway.name}' (route.gateway) ${state}: no member's path can be reached until ` +
      "there is one (docs/gateway.md)"
    );
  }
  const idle =
    live.unprogrammed === undefined
      ? []
      : [
          `Gateway '${gateway.namespace}/${gateway.name}' (route.gateway) is not programmed (${live.unprogrammed}): ` +
            "no member's path can be reached until a controller serves it (docs/gateway.md)",
        ];
  const lines = members.flatMap(({ member }) => {
    const open = managedObjects.get(objectKey("HTTPRoute", httpRouteName(member), namespaceName(member)));
    const refusal = open === undefined ? undefined : refusalOf(open.content, gateway);
    return refusal === undefined ? [] : [`  ${member.name}: ${refusal}`];
  });
  const refused =
    lines.length === 0
      ? []
      : [`Routes that Gateway '${gateway.namespace}/${gateway.name}' does not serve (docs/gateway.md):`, ...lines];
  return idle.length + refused.length === 0 ? undefined : [...idle, ...refused].join("\n");
}
