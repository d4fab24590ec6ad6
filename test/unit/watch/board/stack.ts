import type { Configuration } from "../../../../config/settings.ts";
import { planMembers } from "../../../../plan/members/plan.ts";
import type { BoardLook } from "../../../../watch/board/pages.ts";
import { findings } from "../../../../watch/live/findings.ts";
import { configuration, loginAt, today } from "../../samples.ts";
import type { LiveStack } from "../live/liveStack.ts";

export const host = "board.example.org";
export const login = loginAt("camp.example.org");

/** A stack with a board, and an admin who sees all of it. */
export const boardStack = (more: Record<string, unknown> = {}): Configuration =>
  configuration({
    route: { host: "camp.example.org", login },
    oidc: { usernameClaim: "email" },
    board: { host, admins: ["tina@example.org"] },
    contact: "<b>Tina</b> & co",
    members: [
      { member: "bob", type: "user", subject: "bob@example.org", labels: { course: "cs101" } },
      { member: "carol", type: "guest-user", subject: "carol@example.org" },
      { member: "sue", type: "user", subject: "sue@example.org", suspended: true },
    ],
    ...more,
  });

/** The watch's view of this cluster. */
export function lookAt(live: LiveStack, moment: Date = new Date(`${today}T12:00:00Z`)): BoardLook {
  const { members, settings } = live.configuration;
  const plan = planMembers(members, settings, live.snapshot());
  return { plan, differs: findings(plan), moment };
}
