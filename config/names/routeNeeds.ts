import type { Member } from "../member/member.ts";
import type { ReadinessSettings } from "../route/readiness.ts";
import type { Settings } from "../settings.ts";
import { routedPort } from "./names.ts";

/** What a member's Service must have so that their path opens. */
export interface RouteNeeds extends Pick<ReadinessSettings, "requires"> {
  readonly port: number;
}

const usual = "80.service";

/** Value of `routeLabel`, by which those who read the cluster alone know what the settings ask for. */
export function routeText({ route }: Pick<Member, "route">, settings: Pick<Settings, "route">): string | undefined {
  const text = route === undefined ? "none" : `${routedPort(settings.route)}.${route.readiness.requires}`;
  return text === usual ? undefined : text;
}

/** @param text value of `routeLabel`. Anybody's but `routeText`'s counts as none */
export function routeNeedsOf(text: string | undefined): RouteNeeds {
  const [, port = 80, requires] = /^(80|443)\.(service|endpoints)$/.exec(text ?? "") ?? [];
  return { port: Number(port), requires: requires === "endpoints" ? requires : "service" };
}
