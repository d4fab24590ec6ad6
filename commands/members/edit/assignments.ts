import { parse } from "yaml";
import { z } from "zod";
import { memberSchema } from "../../../config/member/member.ts";
import { dayAfter } from "../../../config/values/days.ts";
import { schemasAt } from "../../../config/values/issues.ts";
import { isMap } from "../../../config/values/maps.ts";
import { Problem } from "../../common/problem.ts";

export type ListedEntry = Readonly<Record<string, unknown>>;

export interface Assignment {
  /** The keys, such as `["labels", "course"]`. */
  readonly path: readonly string[];
  /** Undefined to take the key out. */
  readonly value: unknown;
}

/** Reads `maxCPUm=500`, typed by the schema; undefined without `=`. The check of the list reports what that refuses. */
export function assignmentOf(text: string, today: string): Assignment | undefined {
  const [, field, value = ""] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (field === undefined) {
    return undefined;
  }
  const path = fieldPath(field.trim());
  return { path, value: typedValue(path, value, today) };
}

/** @throws Problem naming the texts that have no `=`, or when a key is the member's name */
export function readAssignments(texts: readonly string[], today: string): Assignment[] {
  const read = texts.map((text) => ({ text, assignment: assignmentOf(text, today) }));
  const wrong = read.flatMap(({ text, assignment }) => (assignment === undefined ? [`'${text}'`] : []));
  if (wrong.length > 0) {
    throw new Problem(`${wrong.join(", ")} is not KEY=VALUE.`, {
      why: "There is no '=' after the key.",
      remedy: "Write it as maxCPUm=500 or labels.course=cs101. Nothing was written.",
    });
  }
  const assignments = read.flatMap(({ assignment }) => assignment ?? []);
  for (const { path } of assignments) {
    refuseRename(path);
  }
  return assignments;
}

/** @throws Problem when a key is the member's name: another name is another namespace, and the old one goes with its data */
export function refuseRename(path: readonly string[]): void {
  if (path.join() === "member") {
    throw new Problem("A member's name can't be changed by 'members set'.", {
      why: "Kubernetes can't rename a namespace: the next 'kubecamp up' would remove it, with all data.",
      remedy: "See docs/run/rename.md. Nothing was written.",
    });
  }
}

/** Reads `labels.course` as two keys. A label's key may have dots itself, so that all after `labels.` is one. */
export function fieldPath(field: string): string[] {
  const keys: string[] = [];
  let rest = field;
  for (;;) {
    const dot = rest.indexOf(".");
    const isKeyOfMap = schemasAt(memberSchema, keys).some((schema) => schema instanceof z.ZodRecord);
    if (dot === -1 || isKeyOfMap) {
      return [...keys, rest];
    }
    keys.push(rest.slice(0, dot));
    rest = rest.slice(dot + 1);
  }
}

export function typedValue(path: readonly string[], text: string, today: string): unknown {
  if (path.length === 1 && path[0] === "expires") {
    const days = /^\+(\d{1,5})d$/.exec(text)?.[1];
    return days === undefined ? text : dayAfter(today, Number(days));
  }
  const schemas = schemasAt(memberSchema, path);
  const isTaken = (value: unknown) => schemas.some((schema) => z.safeParse(schema, value).success);
  const value = yamlValue(text);
  const found = [text, value, listIn(text)].find(isTaken);
  // A message shows what was written, and not what YAML makes of the figures.
  const shown = typeof value === "number" && String(value) !== text ? text : value;
  return found === undefined ? shown : found;
}

/** Whether a text begins like a part of a distinguished name, such as `CN=cs101,OU=Groups,DC=example`. */
const isOfName = (part: string) => /^\s*(cn|ou|o|dc|uid|c|l|st|street|sn|\d+(\.\d+)+)=/i.test(part);

/** Splits at commas, or at semicolons between distinguished names; leaves the text whole if it is neither for certain. */
function listIn(text: string): string[] | string {
  const parts = text.split(/(?<!\\),/);
  if (!parts.some(isOfName)) {
    return text.split(",").map((item) => item.trim());
  }
  return parts.every(isOfName) ? text.split(/(?<!\\);/).map((name) => name.trim()) : text;
}

function yamlValue(text: string): unknown {
  try {
    const value: unknown = parse(text);
    return value === null ? text : value;
  } catch {
    return text;
  }
}

/** An entry with these values. A map that loses its last key goes with it. */
export function assigned(entry: ListedEntry, assignments: readonly Assignment[]): ListedEntry {
  return assignments.reduce((before, { path, value }) => at(before, path, value), entry);
}

function at(map: ListedEntry, [key = "", ...rest]: readonly string[], value: unknown): ListedEntry {
  const inner = map[key];
  const own = rest.length === 0 ? value : at(isMap(inner) ? inner : {}, rest, value);
  const isGone =
    own === undefined || (rest.length > 0 && value === undefined && isMap(own) && Object.keys(own).length === 0);
  const { [key]: _, ...others } = map;
  return isGone ? others : { ...map, [key]: own };
}
