import type { EntryOf } from "../values/issues.ts";
import { type RawMistake, valueAt, valueMistake } from "../values/mistakes.ts";
import { type routeSchema, secondOf, serverKeys } from "./route.ts";

type RouteEntry = EntryOf<typeof routeSchema>;

/**
 * What serves paths, as `route` or `route.also` names it, with the settings that both share. Invalid or encrypted keys
 * contradict nothing.
 */
export interface ConfiguredServer extends Omit<RouteEntry, "also"> {
  readonly isKnown: (key: keyof RouteEntry) => boolean;
  /** For keys that are mistakes whatever their value, such as `backendTls.ca`. */
  readonly raw: Readonly<Record<string, unknown>>;
  readonly pathOf: (key: string) => readonly string[];
}

export function secondServer(
  first: ConfiguredServer,
  also: NonNullable<RouteEntry["also"]>,
  raw: Readonly<Record<string, unknown>>,
): ConfiguredServer {
  const isOwn = (key: string) => serverKeys.some((own) => own === key);
  return {
    ...secondOf(first, also),
    raw: secondOf(first.raw, raw),
    isKnown: (key) =>
      isOwn(key) ? raw[key] === undefined || Reflect.get(also, key) !== undefined : first.isKnown(key),
    pathOf: (key) => (isOwn(key.split(".")[0] ?? "") ? ["route", "also", ...key.split(".")] : first.pathOf(key)),
  };
}

export function reported({ raw, pathOf }: ConfiguredServer, key: string, message: string): RawMistake[] {
  const value = valueAt(raw, key.split(".")) ?? undefined;
  return value === undefined ? [] : [valueMistake(pathOf(key), value, message)];
}
