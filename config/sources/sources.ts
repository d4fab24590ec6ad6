import { type Parsed, parseConfiguration } from "../configuration.ts";
import type { KeptHome } from "../member/leavers.ts";
import type { ManifestFiles } from "../objects/objects.ts";
import { isMap, jsonIn, unread } from "../values/maps.ts";
import { type Mistake, valueAt } from "../values/mistakes.ts";
import { readMembers } from "./membersFile.ts";
import { readYaml } from "./yaml.ts";

/** A source of configuration: values with their lines. */
export interface Source {
  readonly file: string;
  /** Values by key, without the prefix `kubecamp:`. */
  readonly raw: Readonly<Record<string, unknown>>;
  /** Mistakes of the file itself rather than its values. */
  readonly mistakes: readonly Mistake[];
  /** Settings that stand where Pulumi reads none. They stop no run, and may be why it lacks others. Default: none. */
  readonly misplaced?: readonly Mistake[];
  /** Line of a value's key, or of the map that lacks the key; undefined if it is not known. */
  lineOf(path: readonly PropertyKey[]): number | undefined;
  /** The figures of the number at a path, as the file has them. Default: it is not known. */
  figuresAt?(path: readonly PropertyKey[]): string | undefined;
  /** Whether Pulumi encrypts the value at a path, or a part of it. */
  isSecret(path: readonly PropertyKey[]): boolean;
  /** Other file that a value comes from; undefined for values of `file`. Default: all are of `file`. */
  inheritedFrom?(path: readonly PropertyKey[]): string | undefined;
  /** Whether the stack has environments of Pulumi ESC; Pulumi adds their values, which no file shows. Default: false. */
  readonly hasEnvironment?: boolean;
}

export interface Sources {
  readonly stack: Source;
  readonly members?: Source | undefined;
  readonly pages?: PagesFolder | undefined;
  readonly objects?: ManifestFiles | undefined;
}

export interface PagesFolder {
  /** Pages by file name; empty if the folder has mistakes. */
  readonly pages: Readonly<Record<string, string>>;
  /** Paths of the files and of the folder itself, relative to the project's folder. */
  readonly files: readonly string[];
  readonly mistakes: readonly Mistake[];
}

export const project = "kubecamp";

/** Values of a `Pulumi.<stack>.yaml`. Encrypted values stay encrypted and count as valid. */
export function stackSource(file: string, text: string): Source {
  const { documents, mistakes } = readYaml(file, text);
  const [document] = documents;
  const at = (...path: string[]) => ({ file, ...(document === undefined ? {} : { line: document.lineOf(path) }) });
  const config = valueAt(document?.value, ["config"]);
  const values = new Map(Object.entries(isMap(config) ? config : {}));
  // Pulumi takes a key without a prefix for one of the project's.
  const keyOf = (name: string) => (values.has(`${project}:${name}`) ? `${project}:${name}` : name);
  const names = [...values.keys()].flatMap((key) => /^(?:kubecamp:)?([^:]+)$/.exec(key)?.[1] ?? []);
  const twice = [...values.keys()].filter((key) => values.has(`${project}:${key}`));
  const message = `stands here with '${project}:' before it as well; keep one`;
  const ofKeys = [...providerMistakes(values.keys()), ...twice.map((path) => ({ path, message }))];
  const raw = Object.fromEntries(names.map((name) => [name, read(values.get(keyOf(name)))]));
  const inDocument = ([name, ...rest]: readonly PropertyKey[]) => [
    "config",
    ...(name === undefined ? [] : [keyOf(String(name))]),
    ...rest,
  ];
  return {
    file,
    raw,
    mistakes: [...mistakes, ...ofKeys.map((mistake) => ({ ...at("config", mistake.path), ...mistake }))],
    misplaced: misplacedIn(document?.value).map((path) => ({
      ...at(path),
      path,
      message: "is not below 'config:', where Pulumi reads it: move it there",
    })),
    lineOf: (path) => document?.lineOf(inDocument(path)),
    figuresAt: (path) => document?.figuresAt(inDocument(path)),
    isSecret: (path) =>
      path.some((_, at) => valueAt(raw, path.slice(0, at)) === unread) || hasSecret(valueAt(raw, path)),
    hasEnvironment: (valueAt(document?.value, ["environment"]) ?? null) !== null,
  };
}

/** Keys of the program beside `config`, as one indented too little is. */
const misplacedIn = (file: unknown) =>
  (isMap(file) ? Object.keys(file) : []).filter((key) => key === project || key.startsWith(`${project}:`));

/** Values of a members file: a plain list, or the operator's `kind: Members`. @see readMembers */
export function membersSource(file: string, text: string): Source {
  const { members, mistakes, placeOf } = readMembers(file, text);
  const at = ([, index, ...path]: readonly PropertyKey[]) =>
    typeof index === "number" ? placeOf(index, path) : undefined;
  return {
    file,
    raw: { members },
    mistakes,
    lineOf: (path) => {
      const place = at(path);
      return place?.document.lineOf(place.path);
    },
    figuresAt: (path) => {
      const place = at(path);
      return place?.document.figuresAt(place.path);
    },
    isSecret: () => false,
  };
}

/** The configuration, or mistakes of all sources: the stack's first, then by line. @param homes default: not read */
export function parseSources(
  stack: string,
  sources: Sources,
  today: string,
  homes?: readonly KeptHome[] | undefined,
): Parsed {
  const { stack: ofStack, members, pages, objects } = sources;
  const { misplaced = [] } = ofStack;
  const wrong = [...ofStack.mistakes, ...misplaced];
  if (wrong.length > 0 && Object.keys(ofStack.raw).length === 0) {
    // Nothing could be read, so no key counts as missing.
    return { mistakes: wrong };
  }
  // A list in the stack's configuration is checked, and `membersFile` beside it is a mistake.
  const inFile = ofStack.raw.members === undefined ? members : undefined;
  const sourceOf = ([key]: readonly PropertyKey[]) => (key === "members" && inFile !== undefined ? inFile : ofStack);
  const parsed = parseConfiguration(stack, ofStack.raw, today, {
    members: inFile === undefined ? undefined : (inFile.raw.members as readonly unknown[]),
    pages: pages?.pages,
    homes,
    objects,
    locate: (path) => {
      const source = sourceOf(path);
      const elsewhere = source.inheritedFrom?.(path);
      if (elsewhere !== undefined) {
        return { file: elsewhere };
      }
      const line = path[0] === "stack" ? undefined : source.lineOf(path);
      return line === undefined && source === ofStack
        ? {}
        : { file: source.file, ...(line === undefined ? {} : { line }) };
    },
    figuresAt: (path) => sourceOf(path).figuresAt?.(path),
    isSecret: (path) => sourceOf(path).isSecret(path),
  });
  const found = "mistakes" in parsed ? parsed.mistakes : [];
  const all = [...ofStack.mistakes, ...(members?.mistakes ?? []), ...(pages?.mistakes ?? []), ...found];
  const rank = ({ file }: Mistake) => (members !== undefined && file === members.file ? 1 : 0);
  return all.length === 0
    ? parsed
    : { mistakes: [...all, ...misplaced].toSorted((a, b) => rank(a) - rank(b) || (a.line ?? 0) - (b.line ?? 0)) };
}

/** Settings of the default Kubernetes provider, which the program does not use: they don't choose the cluster. */
export function providerMistakes(keys: Iterable<string>): Mistake[] {
  const message = "has no effect here; the cluster is chosen by context in kubecamp:cluster";
  return [...keys].filter((key) => key.startsWith("kubernetes:")).map((path) => ({ path, message }));
}

/** Pulumi passes structured values as JSON and plain ones as text, so `"2"` is a number to it. */
export function structured(value: string): unknown {
  const found = jsonIn(value);
  return found === undefined ? value : found;
}

const read = (value: unknown) => (typeof value === "string" ? structured(value) : withoutSecrets(value));

/** Pulumi writes `{ secure: … }` for an encrypted value. */
function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withoutSecrets);
  }
  if (!isMap(value)) {
    return value;
  }
  return typeof value.secure === "string" && Object.keys(value).length === 1
    ? unread
    : Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutSecrets(inner)]));
}

/** Whether a value contains an encrypted part, or one from elsewhere, that could not be read. */
export function hasSecret(value: unknown): boolean {
  return value === unread || (typeof value === "object" && value !== null && Object.values(value).some(hasSecret));
}
