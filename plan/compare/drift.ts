import type { StackKind } from "../../cluster/kinds/stackKinds.ts";
import {
  type ClusterSnapshot,
  keyOf,
  liveOf,
  type ManagedKind,
  type ManagedObject,
  type ObjectName,
} from "../../cluster/read/snapshot.ts";
import { memberLabel } from "../../naming/labels.ts";
import { parkedClass } from "../../naming/names.ts";
import { isUnread } from "../decisions/unread/unread.ts";
import type { Finding } from "../messages/catalogue.ts";
import type { Declared } from "../objects/declared.ts";
import { type AddedMarks, addedMarksText } from "./addedMarks.ts";
import { type Classified, classify, type Planned } from "./classify.ts";
import { isRebound, withMark } from "./difference.ts";

const code = "changedByHand";

/**
 * Has put back what somebody changed by hand in the objects that guard and open. A refresh can't: the plugin cuts a live
 * object to the fields and list entries that the last inputs had, so that one more subject, rule or peer is never seen. So
 * the program compares the live objects itself. Where one differs, its annotation does too, which makes the plugin apply the
 * object again; and lists are replaced whole.
 */
export class Drift {
  /** For what a run declares and leaves alone. */
  static readonly none = new Drift({ managedObjects: new Map() });

  readonly #snapshot: ConstructorParameters<typeof Drift>[0];
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
    this.#snapshot = snapshot;
    this.#takenOver = takenOver;
    this.#adopting = adopting;
  }

  /** The live objects that it compares with. */
  get managedObjects(): ReadonlyMap<string, ManagedObject> {
    return this.#snapshot.managedObjects;
  }

  /** How the live object stands to what is declared. */
  of<K extends StackKind>(kind: K, args: Declared): Classified<Planned & ObjectName & { readonly kind: K }> {
    const { name, namespace, labels } = args.metadata;
    const object = { kind, name, namespace, args };
    return classify(object, liveOf(object, this.#snapshot), {
      isUnread: isUnread(kind, this.#snapshot),
      whose: kind !== "Service" && this.#takenOver.has(keyOf(object)) ? "toTakeOver" : "ours",
      adopts: this.#adopting.has(labels[memberLabel] ?? ""),
    });
  }

  /** What is declared, with the annotation that it takes to put it back, or that the last run left. */
  marked<T extends Declared>(kind: ManagedKind, declared: T): T {
    const { object, live, verdict, difference } = this.of(kind, declared);
    const { digest, by, added } = difference;
    if (live === undefined) {
      return withMark(declared, digest);
    }
    if (verdict === "changedByHand" && !isUnfinished(kind, live)) {
      this.#changed.push({ code, object: keyOf(object), text: hint(declared, live, added) });
    }
    return withMark(declared, by === undefined ? (live.applied ?? digest) : `${digest}.${live.resourceVersion}`);
  }

  /** The Service beside an ingress controller, which no run marks: what is put beside it is named all the same. */
  named<T extends Declared>(declared: T): T {
    const { object, difference } = this.of("Service", declared);
    if (difference.added !== undefined) {
      this.#changed.push({ code, object: keyOf(object), text: besideText(difference.added) });
    }
    return declared;
  }

  /** What was changed by hand and could not be put back yet is told as `marked` does, and declared as the last run left it. */
  told<T extends Declared>(kind: ManagedKind, declared: T): T {
    this.marked(kind, declared);
    return this.kept(kind, declared);
  }

  /** What is declared, with the annotation that the last run left: nothing is put back. */
  kept<T extends Declared>(kind: ManagedKind, declared: T): T {
    const { live, difference } = this.of(kind, declared);
    return withMark(declared, live?.applied ?? difference.digest);
  }

  /** All that differs. */
  get findings(): readonly Finding[] {
    return this.#changed;
  }
}

/** Whether it is as a run has left it that failed after it had ended access, or had taken a path for somebody else. */
function isUnfinished(kind: string, { content }: ManagedObject): boolean {
  const { subjects } = content as { subjects?: readonly unknown[] | null };
  return /^(Cluster)?RoleBinding$/.test(kind)
    ? (subjects ?? []).length === 0
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
