import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { memberLabel, stackLabel, standingLabel } from "../naming/labels.ts";
import { type GuardKind, guardKey, type LiveGuard } from "./snapshot.ts";

/**
 * The annotation by which an object is told from what was made of it by hand: a digest of what we declared, and the
 * resourceVersion of the live object that was written over, if there was one.
 */
export const appliedAnnotation = "kubecamp.dev/applied";

/** An object as a builder declares it. */
interface Declared {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}

/**
 * Sees what somebody changed by hand in the objects that guard and open, and has it put back. A refresh can't: the
 * plugin cuts a live object to the fields and list entries that the last inputs had, so that one more subject, rule or
 * peer is never seen. So the program compares the live objects itself. Where one differs, its annotation does too, which
 * makes the plugin apply the object again; and lists are replaced whole.
 */
export class Drift {
  readonly #guards: ReadonlyMap<string, LiveGuard>;
  readonly #takenOver: ReadonlySet<string>;
  /** Whose Roles and RoleBindings are where: seen once, because a type can change for all members in one run. */
  readonly #rights: ReadonlySet<string>;
  readonly #changed: string[] = [];
  readonly #missing: string[] = [];

  /** @param takenOver keys of what the run takes over, which differs because it never was ours */
  constructor(
    { guards }: { readonly guards: ReadonlyMap<string, LiveGuard> },
    takenOver: ReadonlySet<string> = new Set(),
  ) {
    this.#guards = guards;
    this.#takenOver = takenOver;
    this.#rights = new Set([...guards].map(([key, { labels }]) => rightOf(key, labels)));
  }

  /** What is declared, with the annotation that it takes to put it back, or that the last run left. */
  marked<T extends Declared>(kind: GuardKind, declared: T): T {
    const { name, namespace } = declared.metadata;
    const live = this.#guards.get(guardKey(kind, name, namespace));
    const digest = digestOf(declared);
    if (live === undefined) {
      if (this.#isMissed(kind, declared)) {
        this.#missing.push(guardKey(kind, name, namespace));
      }
      return withAnnotation(declared, digest);
    }
    const [before] = live.applied?.split(".") ?? [digest];
    const differs = isChanged(declared, live);
    // Else we declare something else than last time, and the difference is our own.
    if (differs && before === digest && !this.#takenOver.has(guardKey(kind, name, namespace))) {
      this.#changed.push(guardKey(kind, name, namespace) + hint(declared, live));
    }
    const applied = !differs && before === digest ? live.applied : `${digest}.${live.resourceVersion}`;
    return withAnnotation(declared, applied ?? digest);
  }

  /** Whether an object should be there that is not: its namespace is, and the last run did not leave it out. */
  #isMissed(kind: GuardKind, { metadata: { namespace, labels } }: Declared): boolean {
    if (namespace === undefined || !everyHomeHas.includes(kind)) {
      return false;
    }
    const key = guardKey("Namespace", namespace);
    const home = this.#guards.get(key);
    if (home === undefined || this.#takenOver.has(key)) {
      return false;
    }
    const { [standingLabel]: standing = "active" } = home.labels;
    return !(kind === "RoleBinding" && standing !== "active") && !this.#isSucceeding(kind, namespace, labels);
  }

  /** Whether an object that has the member's role at home in its name is there for another role, and is to go. */
  #isSucceeding(kind: GuardKind, namespace: string, labels: Declared["metadata"]["labels"]): boolean {
    const isNamed = kind === "Role" || kind === "RoleBinding";
    return isNamed && this.#rights.has(rightOf(guardKey(kind, "", namespace), labels));
  }

  /** One warning for all that differ or are missing, however many; none when all is as declared. */
  get warning(): string | undefined {
    const paragraphs = [
      told("Changed by hand, and put back by 'pulumi up':", this.#changed),
      told("Missing, and brought back by 'pulumi up --refresh' if somebody has deleted it:", this.#missing),
    ].filter((paragraph) => paragraph !== undefined);
    return paragraphs.length === 0 ? undefined : paragraphs.join("\n");
  }
}

/** Kinds that every namespace of an active member has from its first run on, whatever the member's type. */
const everyHomeHas: readonly GuardKind[] = ["LimitRange", "NetworkPolicy", "Role", "RoleBinding"];

/** Of a guard's key, what does not tell one role at home from another; and whose it is. */
function rightOf(key: string, { [stackLabel]: stack, [memberLabel]: member }: LiveGuard["labels"]): string {
  return [key.split("/")[0], stack, member].join("/");
}

function told(title: string, objects: readonly string[]): string | undefined {
  return objects.length === 0 ? undefined : [title, ...objects.map((object) => `  ${object}`)].join("\n");
}

/** Whether a live object lacks or contradicts something that is declared, or has more where nothing else may be. */
function isChanged(declared: Declared, { labels, content }: LiveGuard): boolean {
  const { metadata, ...rest } = declared;
  return !holds({ labels, ...content }, { labels: metadata.labels, ...rest });
}

/** What applying the object again does not put back, and what does. */
function hint(declared: Declared, { content }: LiveGuard): string {
  const { roleRef } = declared as { roleRef?: unknown };
  if (!isDeepStrictEqual(content.roleRef, roleRef)) {
    return ": it is bound to another role, and only 'pulumi up --refresh' replaces it";
  }
  return content.aggregationRule === undefined
    ? ""
    : ": it has an aggregationRule; if it is named again by the next run, take that out with 'kubectl edit'";
}

/** Maps that are one value to the API server, as every list of these kinds is. */
const atomicMaps = ["podSelector", "roleRef"];

/**
 * Equal as far as server-side apply makes it so: what it replaces whole must be the same, and in other maps a key that
 * is not ours stays with whoever set it. That is another's label, or one more resource that a quota holds: neither gives
 * anybody anything, and asking for its removal in vain would never end.
 */
function holds(live: unknown, declared: unknown): boolean {
  if (!isMap(live) || !isMap(declared)) {
    return isDeepStrictEqual(live, declared);
  }
  return Object.entries(declared).every(([key, value]) =>
    atomicMaps.includes(key) ? isDeepStrictEqual(live[key], value) : holds(live[key], value),
  );
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function digestOf(declared: Declared): string {
  return createHash("sha256").update(JSON.stringify(declared)).digest("hex").slice(0, 16);
}

function withAnnotation<T extends Declared>(declared: T, applied: string): T {
  const { metadata } = declared;
  const annotations = { ...metadata.annotations, [appliedAnnotation]: applied };
  return { ...declared, metadata: { ...metadata, annotations } };
}
