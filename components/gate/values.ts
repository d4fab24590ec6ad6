import { isMap } from "../../config/model/maps.ts";

/** A map within a map; empty where there is none. */
export function mapAt(value: unknown, ...path: readonly string[]): Readonly<Record<string, unknown>> {
  const [key, ...rest] = path;
  const map = isMap(value) ? value : {};
  return key === undefined ? map : mapAt(map[key], ...rest);
}

/** A list, empty where there is none. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** JSON for a message, cut at 80 characters. */
export const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
};
