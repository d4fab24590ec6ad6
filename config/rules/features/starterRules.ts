import type { StarterSettings } from "../../model/settings/settings.ts";
import { starterModeOf } from "../../resolve/members/member.ts";
import { memberLimitsOf, typeEntryOf } from "../../resolve/members/memberTypes.ts";
import { pathText, type RawMistake } from "../../sources/mistakes.ts";
import { isQuotaDeclared } from "../figures.ts";
import { parseImage } from "../images.ts";
import type { Candidate, RulesContext } from "../rules.ts";
import { type StarterShare, starterShares } from "./starterShares.ts";

/** Whether an image is Caddy, from any registry. Other images may not render Markdown. */
export const isCaddy = ({ image }: Pick<StarterSettings, "image">) =>
  parseImage(image)?.repository.endsWith("/caddy") === true;

/** A mistake about a member's starter app. */
interface Trouble {
  readonly name: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/**
 * Mistakes: starter apps that exceed their members' quotas, or that the controller can't speak to; each reported once.
 */
export function starterFindings(candidates: readonly Candidate[], context: RulesContext): RawMistake[] {
  const { entry: stack, wrongSettings } = context;
  if (wrongSettings.has("starter")) {
    return [];
  }
  const troubles = candidates.flatMap((candidate): Trouble[] => {
    const { entry, wrong } = candidate;
    if (wrong.has("starter") || starterModeOf(entry, stack) === undefined) {
      return [];
    }
    const messages = [...tooMuch(candidate, context), ...unspoken(candidate, context)];
    return messages.map((message) => ({ name: entry.member ?? "", path: placeOf(candidate, context), message }));
  });
  const alike = Map.groupBy(troubles, ({ path, message }) => `${pathText(path)} ${message}`);
  return [...alike.values()].flatMap(([first, ...more]): RawMistake[] => {
    if (first === undefined) {
      return [];
    }
    const { path, name, message } = first;
    const whose = more.length === 0 ? `member '${name}'` : `${more.length + 1} members, such as '${name}'`;
    return [{ path, message: () => (path[0] === "members" ? message : `${message} (${whose})`) }];
  });
}

/** The setting that gives the member a starter app. */
function placeOf({ index, entry }: Candidate, { entry: stack }: RulesContext): readonly PropertyKey[] {
  if (entry.starter !== undefined) {
    return ["members", index, "starter"];
  }
  const ofType = typeEntryOf(entry, stack)?.starter !== undefined;
  return ofType ? ["memberTypes", entry.type ?? "", "starter"] : ["starter", "mode"];
}

function tooMuch(candidate: Candidate, context: RulesContext): string[] {
  const { settings, entry: stack } = context;
  const shares = isQuotaDeclared(candidate, context)
    ? starterShares(settings.starter, memberLimitsOf(candidate.entry, stack))
    : [];
  return shares
    .filter(({ each, most }) => settings.starter.replicas * each > most)
    .map((share) => tooMuchText(share, settings.starter));
}

function tooMuchText({ key, each, most, unit, less }: StarterShare, { replicas }: StarterSettings): string {
  const sum = replicas === 1 || each === 1 ? "" : ` (${replicas} replicas of ${each})`;
  const ways = [...less, ...(replicas === 1 ? [] : ["starter.replicas"])];
  const lower = ways.length === 0 ? "" : `lower ${ways.join(" or ")}, `;
  return `takes ${replicas * each} ${unit}${sum}, and the quota holds ${most} (${key}); ${lower}raise ${key}, or set it to off`;
}

/** Caddy serves HTTP here, because it has no certificate. */
function unspoken({ entry }: Candidate, { settings, wrongSettings }: RulesContext): string[] {
  const isRouted = entry.route !== false && !wrongSettings.has("route");
  return isRouted && settings.route.backend.protocol === "HTTPS" && isCaddy(settings.starter)
    ? [
        "speaks HTTP, and route.backendProtocol is HTTPS; set starter.image to one of your own that serves HTTPS, or set it to off",
      ]
    : [];
}
