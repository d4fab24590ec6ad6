import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { stackKinds } from "../../cluster/kinds/stackKinds.ts";
import {
  type ClusterSnapshot,
  type LiveService,
  type ManagedKind,
  type ManagedObject,
  type ObjectName,
  objectKey,
  serviceKey,
} from "../../cluster/read/snapshot.ts";
import { isMap } from "../../config/model/maps.ts";
import { appliedAnnotation, memberLabel } from "../../naming/labels.ts";
import { parkedClass } from "../../naming/names.ts";
import { isUnread } from "../decisions/unread/unread.ts";
import type { Finding } from "../messages/catalogue.ts";
import { type AddedMarks, addedMarks, addedMarksText, type Heeded } from "./addedMarks.ts";

/** An object as a builder declares it. */
export interface Declared {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}

const code = "changedByHand";

/**
 * Sees what somebody changed by hand in the objects that guard and open, and has it put back. A refresh can't: the
 * plugin cuts a live object to the fields and list entries that the last inputs had, so that one more subject, rule or
 * peer is never seen. So the program compares the live objects itself. Where one differs, its annotation does too, which
 * makes the plugin apply the object again; and lists are replaced whole.
 */
export class Drift {
  /** For what a run declares and leaves alone. */
  static readonly none = new Drift({ managedObjects: new Map() });

  readonly #managedObjects: ReadonlyMap<string, ManagedObject>;
  readonly #services: ReadonlyMap<string, LiveService>;
  readonly #isUnread: (kind: ManagedKind) => boolean;
  readonly #takenOver: ReadonlySet<string>;
  readonly #adopting: ReadonlySet<string>;
  readonly #changed: Finding[] = [];

  /**
   * @param takenOver keys of what the run takes over, which differs because it never was ours
   * @param adopting names of members with `adopt`: what an ingress controller reads of what was theirs before stays
   */
  constructor(
    snapshot: Pick<ClusterSnapshot, "managedObjects" | "unread"> & Partial<Pick<ClusterSnapshot, "services">>,
    takenOver: ReadonlySet<string> = new Set(),
    adopting: ReadonlySet<string> = new Set(),
  ) {
    this.#managedObjects = snapshot.managedObjects;
    this.#services = snapshot.services ?? new Map();
    this.#adopting = adopting;
    this.#isUnread = (kind) => isUnread(kind, snapshot);
    this.#takenOver = takenOver;
  }

  /** The live objects that it compares with. */
  get managedObjects(): ReadonlyMap<string, ManagedObject> {
    return this.#managedObjects;
  }

  /** What is declared, with the annotation that it takes to put it back, or that the last run left. */
  marked<T extends Declared>(kind: ManagedKind, declared: T): T {
    const { key, live, digest, isOurLast, isChanged, isByHand } = this.#compared(kind, declared);
    if (live === undefined) {
      return withAnnotation(declared, digest);
    }
    if (isByHand && !isUnfinished(kind, live)) {
      this.#changed.push({ code, object: key, text: hint(declared, live, this.addedTo(kind, declared)) });
    }
    const applied = !isChanged && isOurLast ? live.applied : `${digest}.${live.resourceVersion}`;
    return withAnnotation(declared, applied ?? digest);
  }

  /** Likewise for an object of which nothing but the metadata is read. */
  markedByMetadata<T extends Declared>(kind: ManagedKind, declared: T): T {
    const { metadata } = this.marked(kind, { metadata: declared.metadata });
    return { ...declared, metadata };
  }

  /** The Service beside an ingress controller, which no run marks: what is put beside it is named all the same. */
  named<T extends Declared & { readonly metadata: { readonly namespace?: string } }>(declared: T): T {
    const marks = this.addedTo("Service", declared);
    if (marks !== undefined) {
      const { name, namespace } = declared.metadata;
      this.#changed.push({ code, object: objectKey("Service", name, namespace), text: besideText(marks) });
    }
    return declared;
  }

  /** Labels and annotations that somebody has put beside the declared ones, and that a run takes off; else undefined. */
  addedTo(kind: ObjectName["kind"], declared: Declared): AddedMarks | undefined {
    const heeded = heededOf(this.#isAdopting(declared));
    if (kind !== "Service") {
      const live = this.changedByHand(kind, declared);
      return live && addedTo(kind, declared, live, heeded);
    }
    const { name, namespace = "" } = declared.metadata;
    const live = this.#services.get(serviceKey(namespace, name));
    // With another port it is declared otherwise than last time, and what is too much is our own.
    return live && hasPorts(declared, live) ? addedTo(kind, declared, live, heeded) : undefined;
  }

  /** The live object, whoever has changed it. */
  liveOf(kind: ManagedKind, { metadata: { name, namespace } }: Declared): ManagedObject | undefined {
    return this.#managedObjects.get(objectKey(kind, name, namespace));
  }

  /** Whether it is there, and not as it is declared: by hand, or since something else was declared last time. */
  differs(kind: ManagedKind, declared: Declared): boolean {
    const live = this.liveOf(kind, declared);
    return live !== undefined && differs(kind, declared, live, this.#isAdopting(declared));
  }

  #isAdopting({ metadata: { labels } }: Declared): boolean {
    return this.#adopting.has(labels[memberLabel] ?? "");
  }

  /** Whether it is not on the cluster, where that can be looked at. */
  isGone(kind: ManagedKind, declared: Declared): boolean {
    return this.liveOf(kind, declared) === undefined && !this.#isUnread(kind);
  }

  /** The live object, if somebody has changed it since a run applied what is declared. */
  changedByHand(kind: ManagedKind, declared: Declared): ManagedObject | undefined {
    const { live, isByHand } = this.#compared(kind, declared);
    return isByHand ? live : undefined;
  }

  /** What is declared, with the annotation that the last run left: nothing is put back. */
  kept<T extends Declared>(kind: ManagedKind, declared: T): T {
    const { name, namespace } = declared.metadata;
    const applied = this.#managedObjects.get(objectKey(kind, name, namespace))?.applied;
    return withAnnotation(declared, applied ?? digestOf(declared));
  }

  /** How the live object stands to what is declared. */
  #compared(kind: ManagedKind, declared: Declared) {
    const { name, namespace } = declared.metadata;
    const key = objectKey(kind, name, namespace);
    const live = this.#managedObjects.get(key);
    const digest = digestOf(declared);
    // Else we declare something else than last time, and the difference is our own.
    const isOurLast = live !== undefined && (digestBefore(live) ?? digest) === digest;
    // Kubernetes makes these by itself, and a run comes to them later.
    const isNew = kind === "ServiceAccount" && live?.applied === undefined;
    const changed = live !== undefined && isChanged(kind, declared, live, this.#isAdopting(declared));
    const isByHand = isOurLast && !isNew && changed && !this.#takenOver.has(key);
    return { key, live, digest, isOurLast, isChanged: changed, isByHand };
  }

  /** All that differs. */
  get findings(): readonly Finding[] {
    return this.#changed;
  }
}

/**
 * Whether a run would have the object applied again: it was changed by hand, or something else is declared than what was
 * applied last.
 * @param isAdopting whether its member has `adopt`
 */
export function differs(
  kind: ObjectName["kind"],
  declared: Declared,
  live: ManagedObject,
  isAdopting = false,
): boolean {
  const digest = digestOf(declared);
  return isChanged(kind, declared, live, isAdopting) || (digestBefore(live) ?? digest) !== digest;
}

/** Whether a live binding is to another role, which only a replacement puts right. */
export function isRebound(declared: Declared, { content }: ManagedObject): boolean {
  return !isDeepStrictEqual(content.roleRef, Reflect.get(declared, "roleRef"));
}

/** What the last run declared. */
function digestBefore({ applied }: ManagedObject): string | undefined {
  return applied?.split(".")[0];
}

/** Whether a live object lacks or contradicts something that is declared, or has more where nothing else may be. */
function isChanged(
  kind: ObjectName["kind"],
  declared: Declared,
  { labels, annotations, content }: ManagedObject,
  isAdopting: boolean,
): boolean {
  const { metadata, ...rest } = declared;
  const reported = { labels: metadata.labels, annotations: metadata.annotations ?? {} };
  const { compared } = stackKinds[kind];
  const holdsAll = compared === "pods" ? holdsPods : holds;
  return (
    !holdsAll({ labels, annotations, ...content }, { ...reported, ...rest }) ||
    addedTo(kind, declared, { labels, annotations }, heededOf(isAdopting)) !== undefined ||
    (compared === "wholeSpec" && !isDeepStrictEqual(content.spec, Reflect.get(declared, "spec")))
  );
}

function addedTo(
  kind: ObjectName["kind"],
  declared: Declared,
  live: Pick<ManagedObject, "labels" | "annotations">,
  heeded: readonly Heeded[],
): AddedMarks | undefined {
  return addedMarks(kind, withAnnotation(declared, "").metadata, live, heeded);
}

/** Adoption leaves what others have set for the ingress controller: without it the path might lead nowhere. */
const heededOf = (isAdopting: boolean): Heeded[] => (isAdopting ? ["kubecamp"] : ["kubecamp", "controllers"]);

function hasPorts(declared: Declared, { ports }: LiveService): boolean {
  const { spec } = declared as { spec?: { ports?: readonly { readonly port: number }[] } };
  return (spec?.ports ?? []).every(({ port }) => ports.includes(port));
}

/** Whether it is as a run has left it that failed after it had ended access, or had taken a path for somebody else. */
function isUnfinished(kind: string, { content }: ManagedObject): boolean {
  const { subjects = [] } = content as { subjects?: readonly unknown[] };
  return /^(Cluster)?RoleBinding$/.test(kind)
    ? subjects.length === 0
    : Reflect.get(Object(content.spec), "ingressClassName") === parkedClass;
}

/** What is not seen in what is declared; and what applying the object again does not put back, and what does. */
function hint(declared: Declared, live: ManagedObject, marks: AddedMarks | undefined): string {
  const hints = [
    ...(isRebound(declared, live) ? ["it is bound to another role, and only 'pulumi up --refresh' replaces it"] : []),
    ...(live.content.aggregationRule === undefined
      ? []
      : ["it has an aggregationRule; if it is named again by the next run, take that out with 'kubectl edit'"]),
    ...(marks === undefined ? [] : [besideText(marks)]),
  ];
  return hints.join("; ");
}

const besideText = (marks: AddedMarks) => `takes off what nobody declares, ${addedMarksText(marks)}`;

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

function digestOf(declared: Declared): string {
  return createHash("sha256").update(JSON.stringify(declared)).digest("hex").slice(0, 16);
}

function withAnnotation<T extends Declared>(declared: T, applied: string): T {
  const { metadata } = declared;
  const annotations = { ...metadata.annotations, [appliedAnnotation]: applied };
  return { ...declared, metadata: { ...metadata, annotations } };
}
