/** Diff: compares the last known object with the new inputs, without asking the API server. */
import type { FieldChange, FieldDiff } from "../../../../buckets/protocol/messages.ts";
import { isProps, type Props, plain, propsOf, type Value } from "../../../../buckets/protocol/values.ts";
import { isBuiltIn, normalize } from "../objects/normalize.ts";
import { nameOf, namespaceOf, parseCheckpoint, prune, withMetadata } from "../objects/objects.ts";
import type { Settings } from "../settings.ts";
import { replacingFields } from "./replacements.ts";

interface ObjectDiff {
  fields: Map<string, FieldDiff>;
  replaces: string[];
  deleteBeforeReplace: boolean;
}
type Path = (string | number)[];

interface DiffRequest {
  state: Props;
  news: Props;
  namespaced: boolean;
  ignoreChanges: string[];
  settings: Settings;
}

export function diffObject({ state, news, namespaced, ignoreChanges, settings }: DiffRequest): ObjectDiff {
  const { inputs, live } = parseCheckpoint(state);
  const wanted = withNamespace(normalize(plain(news)), namespaced);
  const pruned = withNamespace(prune(live, normalize(inputs)), namespaced);
  const last = withMetadata(pruned, { name: nameOf(live) });

  const forced = replacingFields(wanted, settings);
  const fields = new Map<string, FieldDiff>();
  const record = (path: Path, change: FieldChange, value: Value): void => {
    const text = pathText(path);
    if (ignoreChanges.some((ignored) => contains(ignored, text))) {
      return;
    }
    fields.set(text, { change, replaces: forced.some((pattern) => touches(pattern, path, value)) });
  };
  compare([], last, wanted, isBuiltIn(wanted), record);

  const replaces = [...fields].flatMap(([path, field]) =>
    field.replaces || (path === "metadata" && field.change === "DELETE") ? [path] : [],
  );
  // The replacement has the same name, so that the old object must be deleted first.
  const sameName = nameOf(wanted) === nameOf(live) && namespaceOf(wanted) === namespaceOf(live);
  return { fields, replaces, deleteBeforeReplace: replaces.length > 0 && sameName };
}

function compare(path: Path, old: Value, wanted: Value, builtIn: boolean, record: Recorder): void {
  if (isProps(old) && isProps(wanted)) {
    for (const key of new Set([...Object.keys(old), ...Object.keys(wanted)])) {
      compareChild([...path, key], old[key], wanted[key], builtIn, record);
    }
  } else if (Array.isArray(old) && Array.isArray(wanted)) {
    for (let index = 0; index < Math.max(old.length, wanted.length); index++) {
      compareChild([...path, index], old[index], wanted[index], builtIn, record);
    }
  } else if (old !== wanted) {
    record(path, "UPDATE", wanted);
  }
}
type Recorder = (path: Path, change: FieldChange, value: Value) => void;

function compareChild(
  path: Path,
  old: Value | undefined,
  wanted: Value | undefined,
  builtIn: boolean,
  record: Recorder,
): void {
  if (wanted === undefined) {
    record(path, "DELETE", null);
  } else if (old !== undefined) {
    compare(path, old, wanted, builtIn, record);
  }
  // For its own kinds, the API server stores no empty list, map, text or false: a missing value equals an empty one.
  else if (!builtIn || !isEmpty(wanted)) {
    record(path, "ADD", wanted);
  }
}

function isEmpty(value: Value): boolean {
  if (Array.isArray(value)) {
    return value.length === 0;
  }
  return isProps(value) ? Object.keys(value).length === 0 : value === null || value === "" || value === false;
}

/** Whether a change of `value` at `path` changes the field of the pattern, which may be above, at or below it. */
function touches(pattern: string[], path: Path, value: Value): boolean {
  for (const [index, step] of pattern.entries()) {
    const here = path[index];
    if (here === undefined) {
      return existsIn(value, pattern.slice(index));
    }
    if (step !== here) {
      return false;
    }
  }
  return true;
}

function existsIn(value: Value, pattern: string[]): boolean {
  const [step, ...rest] = pattern;
  if (step === undefined) {
    return true;
  }
  const next = propsOf(value)[step];
  return next !== undefined && existsIn(next, rest);
}

/** Pulumi's notation: `spec.ports[0].port`, or `data["index.md"]` for a key with a special character. */
function pathText(path: Path): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === "number") {
      return `${text}[${step}]`;
    }
    if (/[."[\]]/.test(step)) {
      return `${text}["${step.replaceAll('"', '\\"')}"]`;
    }
    return text ? `${text}.${step}` : step;
  }, "");
}

function contains(outer: string, path: string): boolean {
  return path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);
}

function withNamespace(object: Props, namespaced: boolean): Props {
  if (namespaced) {
    return withMetadata(object, { namespace: namespaceOf(object) || "default" });
  }
  const { namespace: _, ...metadata } = propsOf(object.metadata);
  return { ...object, metadata };
}
