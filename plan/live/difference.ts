import { isDeepStrictEqual } from "node:util";
import { quantityValue } from "../../cluster/kinds/quantity.ts";
import { type StackKind, stackKind } from "../../cluster/kinds/stackKinds.ts";
import type { Found, LiveService, ManagedObject } from "../../cluster/read/snapshot.ts";
import { appliedAnnotation, objectLabel } from "../../config/names/labels.ts";
import { isMap } from "../../config/values/maps.ts";
import type { Declared } from "../../objects/declared.ts";
import type { AddedMarks, ChangedField } from "../words/drift.ts";
import { addedMarks } from "./addedMarks.ts";
import { changedFields, digestOf, traceOf } from "./changedFields.ts";

export interface Difference {
  readonly digest: string;
  /** Cause: a change by hand since a run applied it, or a new declaration; undefined if it is as declared. */
  readonly by: "hand" | "declaration" | undefined;
  readonly added: AddedMarks | undefined;
  /** Fields changed by hand, as far as they can be named; never those of a Secret. */
  readonly changed: readonly ChangedField[];
  /** Whether the last run has restored these fields from these values already: something sets them again. */
  readonly isAgain: boolean;
}

/** A Service read without its content, as far as it was read. */
export function differenceOf(
  kind: StackKind,
  declared: Declared,
  live: Found | undefined,
  { adopts = false }: { readonly adopts?: boolean } = {},
): Difference {
  const digest = digestOf(declared);
  if (live === undefined) {
    return { digest, by: undefined, added: undefined, changed: [], isAgain: false };
  }
  const added = addedMarks(kind, withMark(declared, "").metadata, live, adopts);
  const isOther =
    added !== undefined || !("content" in live ? hasAll(kind, declared, live) : isServing(declared, live));
  const [before, , trace] = live.applied?.split(".") ?? [];
  // A difference is our own if the declaration changed since it was last applied.
  const isOurs = (before !== undefined && before !== digest) || (isOther && isNew(kind, live));
  const byOthers = isOther ? "hand" : undefined;
  const by = isOurs ? "declaration" : byOthers;
  const changed = by === "hand" ? changedBy(kind, declared, live, added) : [];
  // See `restoringMark`.
  const isAgain = changed.length > 0 && before === digest && trace === traceOf(changed);
  return { digest, by, added: by === "hand" ? added : undefined, changed, isAgain };
}

/** Differs from the last one, so that the plugin applies the object again. Has a trace of changes by hand. */
export function restoringMark(
  { digest, changed }: Difference,
  { resourceVersion }: { readonly resourceVersion: string },
): string {
  return [digest, resourceVersion, ...(changed.length === 0 ? [] : [traceOf(changed)])].join(".");
}

function changedBy(kind: StackKind, declared: Declared, live: Found, added: AddedMarks | undefined): ChangedField[] {
  if (!("content" in live) || kind === "Secret") {
    return [];
  }
  const { metadata, ...rest } = declared;
  const { labels, annotations, content } = live;
  const isLenient = objectLabel in metadata.labels || /^(pods|ports)$/.test(stackKind(kind).compared ?? "");
  const addedTo = (what: "label" | "annotation", keys: readonly string[], has: Readonly<Record<string, string>>) =>
    keys.map((key) => ({ field: `${what} ${key}`, live: JSON.stringify(has[key]), declared: undefined }));
  return [
    ...changedFields(
      { labels, annotations, ...content },
      { labels: metadata.labels, annotations: metadata.annotations ?? {}, ...rest },
      isLenient ? holdsPods : isDeepStrictEqual,
    ),
    ...addedTo("label", added?.labels ?? [], labels),
    ...addedTo("annotation", added?.annotations ?? [], annotations),
  ];
}

export function withMark<T extends Declared>(declared: T, applied: string): T {
  const { metadata } = declared;
  const annotations = { ...metadata.annotations, [appliedAnnotation]: applied };
  return { ...declared, metadata: { ...metadata, annotations } };
}

function isServing({ metadata, ...rest }: Declared, live: LiveService): boolean {
  const { ports, ...spec } = (rest as { spec?: { readonly ports?: readonly { readonly port: number }[] } }).spec ?? {};
  const { labels, annotations, type, selector, externalName } = live;
  const read = Object.fromEntries(
    Object.entries(spec).filter(([key]) => ["type", "selector", "externalName"].includes(key)),
  );
  return (
    (ports ?? []).every(({ port }) => live.ports.includes(port)) &&
    holds(
      { labels, annotations, spec: { type, selector, externalName } },
      { labels: metadata.labels, annotations: metadata.annotations ?? {}, spec: read },
    )
  );
}

const isNew = (kind: StackKind, live: Found) =>
  stackKind(kind).isMadeByKubernetes && "content" in live && live.applied === undefined;

function hasAll(kind: StackKind, declared: Declared, { labels, annotations, content }: ManagedObject): boolean {
  const { metadata, ...rest } = declared;
  const reported = { labels: metadata.labels, annotations: metadata.annotations ?? {} };
  const { compared } = stackKind(kind);
  if (objectLabel in metadata.labels) {
    return holdsGiven({ labels, annotations, ...content }, { ...reported, ...rest });
  }
  const holdsAll = { ports: holdsService, pods: holdsPods, wholeSpec: holds, whole: holds }[compared ?? "whole"];
  return (
    holdsAll({ labels, annotations, ...content }, { ...reported, ...rest }) &&
    (compared !== "wholeSpec" || isDeepStrictEqual(content.spec, Reflect.get(declared, "spec")))
  );
}

/** Further ports of a Service belong to others: server-side apply distinguishes ports by number and protocol. */
function holdsService(live: { readonly [field: string]: unknown }, declared: object): boolean {
  const { spec, ...rest } = declared as { readonly spec: { readonly ports: readonly object[] } };
  const { ports, ...others } = spec;
  const livePorts = (live.spec as { readonly ports?: readonly object[] } | undefined)?.ports ?? [];
  return (
    holds(live, { ...rest, spec: others }) && ports.every((port) => livePorts.some((livePort) => holds(livePort, port)))
  );
}

const holds = (live: unknown, declared: unknown): boolean => changedFields(live, declared).length === 0;

/** Pod fields that only an author sets: an undeclared one makes pods run something else. */
const ofAuthors = [
  ...["affinity", "args", "command", "envFrom", "hostAliases", "hostIPC", "hostNetwork", "hostPID", "initContainers"],
  ...["lifecycle", "nodeName", "nodeSelector", "paused", "startupProbe", "tolerations", "workingDir"],
];

/** For pod templates: the API server fills in their lists. Further entries, or fields that only authors set, differ. */
export function holdsPods(live: unknown, declared: unknown): boolean {
  if (Array.isArray(live) && Array.isArray(declared)) {
    return live.length === declared.length && declared.every((entry, at) => holdsPods(live[at], entry));
  }
  if (!isMap(live) || !isMap(declared)) {
    return isDeepStrictEqual(live, declared);
  }
  return (
    Object.entries(declared).every(([key, value]) => holdsPods(live[key], value)) &&
    !ofAuthors.some((key) => live[key] !== undefined && !(key in declared))
  );
}

/** For manifests written by hand: the API server may write `1000m` as `1`, leave out empty texts, and add defaults. */
export function holdsGiven(live: unknown, declared: unknown): boolean {
  if (live === undefined || live === null) {
    return isEmpty(declared);
  }
  if (Array.isArray(live) && Array.isArray(declared)) {
    return live.length === declared.length && declared.every((entry, at) => holdsGiven(live[at], entry));
  }
  if (isMap(live) && isMap(declared)) {
    return Object.entries(declared).every(([key, value]) => holdsGiven(live[key], value));
  }
  return isDeepStrictEqual(live, declared) || isSameQuantity(live, declared);
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  value === 0 ||
  value === false ||
  (Array.isArray(value) && value.length === 0) ||
  (isMap(value) && Object.values(value).every(isEmpty));

function isSameQuantity(live: unknown, declared: unknown): boolean {
  const [a, b] = [live, declared].map((value) =>
    typeof value === "string" || typeof value === "number" ? quantityValue(String(value)) : undefined,
  );
  return a !== undefined && a === b;
}
