import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { type StackKind, stackKinds } from "../../cluster/kinds/stackKinds.ts";
import type { Found, LiveService, ManagedObject } from "../../cluster/read/snapshot.ts";
import { isMap } from "../../config/model/maps.ts";
import { appliedAnnotation } from "../../naming/labels.ts";
import type { Declared } from "../objects/declared.ts";
import { type AddedMarks, addedMarks } from "./addedMarks.ts";

/** In what a live object is not as it is declared. */
export interface Difference {
  /** Of what is declared. */
  readonly digest: string;
  /** Whether somebody has changed it since a run applied it, or something else is declared by now; undefined if it is as declared. */
  readonly by: "hand" | "declaration" | undefined;
  /** What somebody has put beside the declared labels and annotations, and a run takes off. */
  readonly added: AddedMarks | undefined;
}

/**
 * How a live object differs from what is declared. Of a Service as decisions look at it, nothing is compared but what was put
 * beside what is declared.
 * @param adopts whether its member has `adopt`
 */
export function differenceOf(kind: StackKind, declared: Declared, live: Found | undefined, adopts = false): Difference {
  const digest = digestOf(declared);
  if (live === undefined) {
    return { digest, by: undefined, added: undefined };
  }
  const added = addedMarks(kind, withMark(declared, "").metadata, live, adopts);
  const isOther = added !== undefined || ("content" in live && !hasAll(kind, declared, live));
  const isOurs = isDeclaredAnew(kind, declared, live, digest) || (isOther && isNew(kind, live));
  const by = isOurs ? "declaration" : isOther ? "hand" : undefined;
  return { digest, by, added: by === "hand" ? added : undefined };
}

/** What is declared, with the annotation that tells what was applied. */
export function withMark<T extends Declared>(declared: T, applied: string): T {
  const { metadata } = declared;
  const annotations = { ...metadata.annotations, [appliedAnnotation]: applied };
  return { ...declared, metadata: { ...metadata, annotations } };
}

function digestOf(declared: Declared): string {
  return createHash("sha256").update(JSON.stringify(declared)).digest("hex").slice(0, 16);
}

/** Whether something else is declared than what was applied last, so that a difference is our own. Services bear no mark. */
function isDeclaredAnew(kind: StackKind, declared: Declared, live: Found, digest: string): boolean {
  if (!("content" in live)) {
    return !hasPorts(declared, live);
  }
  return kind !== "Service" && live.applied !== undefined && live.applied.split(".")[0] !== digest;
}

function hasPorts(declared: Declared, { ports }: LiveService): boolean {
  const { spec } = declared as { spec?: { ports?: readonly { readonly port: number }[] } };
  return (spec?.ports ?? []).every(({ port }) => ports.includes(port));
}

/** Whether Kubernetes has made it by itself, and a run comes to it only now. */
const isNew = (kind: StackKind, live: Found) =>
  stackKinds[kind].isMadeByKubernetes && "content" in live && live.applied === undefined;

/** Whether a live object has all that is declared, and nothing more where nothing else may be. */
function hasAll(kind: StackKind, declared: Declared, { labels, annotations, content }: ManagedObject): boolean {
  const { metadata, ...rest } = declared;
  const reported = { labels: metadata.labels, annotations: metadata.annotations ?? {} };
  const { compared } = stackKinds[kind];
  const holdsAll = { ports: holdsService, pods: holdsPods, wholeSpec: holds, whole: holds }[compared ?? "whole"];
  return (
    holdsAll({ labels, annotations, ...content }, { ...reported, ...rest }) &&
    (compared !== "wholeSpec" || isDeepStrictEqual(content.spec, Reflect.get(declared, "spec")))
  );
}

/** Further ports of a Service are somebody else's, as server-side apply has it: it tells them apart by number and protocol. */
function holdsService(live: { readonly [field: string]: unknown }, declared: object): boolean {
  const { spec, ...rest } = declared as { readonly spec: { readonly ports: readonly object[] } };
  const { ports, ...others } = spec;
  const livePorts = (live.spec as { readonly ports?: readonly object[] } | undefined)?.ports ?? [];
  return (
    holds(live, { ...rest, spec: others }) && ports.every((port) => livePorts.some((livePort) => holds(livePort, port)))
  );
}

/** Maps that are one value to the API server, as every list of these kinds is. */
const atomicMaps = ["podSelector", "roleRef"];

/**
 * Equal as far as server-side apply makes it so: what it replaces whole must be the same, and in other maps a key that
 * is not ours stays with whoever set it. That is another's label, or one more resource that a quota holds: neither gives
 * anybody anything, and asking for its removal in vain would never end.
 */
export function holds(live: unknown, declared: unknown): boolean {
  if (!isMap(live) || !isMap(declared)) {
    return isDeepStrictEqual(live, declared);
  }
  return Object.entries(declared).every(([key, value]) =>
    atomicMaps.includes(key) ? isDeepStrictEqual(live[key], value) : holds(live[key], value),
  );
}

/** Fields of pods that nobody but their author sets, so that one that is not declared has them run something else. */
const ofAuthors = [
  ...["affinity", "args", "command", "envFrom", "hostAliases", "hostIPC", "hostNetwork", "hostPID", "initContainers"],
  ...["lifecycle", "nodeName", "nodeSelector", "paused", "startupProbe", "tolerations", "workingDir"],
];

/**
 * The same for what pods are made of: the API server fills in the entries of their lists, so that no two are alike, and may
 * fill in more with the next version; an entry more, or a field that only somebody sets, is a difference.
 */
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
