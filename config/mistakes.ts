import type { z } from "zod";
import { nearest } from "./nearest.ts";

/** A mistake in the configuration: where it stands, and what is wrong with what stands there. */
export interface Mistake {
  /** Such as `members[3].maxCPUm`. */
  readonly path: string;
  /** Such as `50 is below defaultCPUm (100)`. */
  readonly message: string;
}

/** The path of a value as people write it: `members[3].maxCPUm`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((key, at) => (typeof key === "number" ? `[${key}]` : `${at === 0 ? "" : "."}${String(key)}`))
    .join("");
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const key of path) {
    value = typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
  }
  return value;
}

/** A value as a message shows it: short, and on one line. */
export function valueText(value: unknown): string {
  const shown = JSON.stringify(value) ?? String(value);
  return shown.length > 60 ? `${shown.slice(0, 57)}...` : shown;
}

/**
 * What zod found, in words.
 * @param root the value that was parsed
 * @param prefix where that value stands in the configuration
 * @param words the keys that each object may have, by path, for suggesting the nearest
 */
export function mistakesOf(
  error: z.ZodError,
  root: unknown,
  prefix: readonly PropertyKey[],
  words: (path: readonly PropertyKey[]) => readonly string[],
): Mistake[] {
  return error.issues.flatMap((issue) => {
    const at = [...prefix, ...issue.path];
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => ({
        path: pathText([...at, key]),
        message: `is no setting here${nearest(key, words(issue.path))}`,
      }));
    }
    const value = valueAt(root, issue.path);
    return [
      {
        path: pathText(at),
        message: value === undefined ? `is missing: ${issue.message}` : `${valueText(value)} ${issue.message}`,
      },
    ];
  });
}
