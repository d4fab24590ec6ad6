import { routeUrl } from "../../naming/names.ts";
import type { BoardMember } from "./model.ts";

/**
 * - `open`: visitors reach the member's app
 * - `doubtful`: the path is open, and the reason says what is wrong with it, or closes it next
 * - `pending`: the path opens once the reason is gone
 * - `closed`: no path while the member is asleep, suspended, expired or leaving
 * - `none`: the member is to have no path
 */
export type PathState = "open" | "doubtful" | "pending" | "closed" | "none";

export function pathStateOf({ route, state, reason }: Pick<BoardMember, "route" | "state" | "reason">): PathState {
  if (route !== undefined) {
    return state === "ready" && reason === undefined ? "open" : "doubtful";
  }
  return state === "ready" ? "none" : state === "pending" ? "pending" : "closed";
}

/** URL of the open path. */
export const pathUrlOf = ({ route }: Pick<BoardMember, "route">): string | undefined => route && routeUrl(route);
