import { contentOf, type Found, keyOf, type ObjectName } from "../../cluster/read/snapshot.ts";
import { memberLabel } from "../../naming/labels.ts";
import { parkedClass } from "../../naming/names.ts";
import type { MemberFacts } from "../manifest/row.ts";
import type { Finding } from "../messages/finding.ts";
import type { Declared } from "../objects/declared.ts";
import { type Classified, type Comparable, classifiedIn, isRebound } from "./classify.ts";
import { withMark } from "./difference.ts";

const code = "changedByHand";

/** What an object is called, and what it is compared by. */
export type Compared = Comparable & ObjectName;

/** Whose an object is. */
type Of = Pick<MemberFacts, "member" | "settings">;

/**
 * Has put back what somebody changed by hand in the objects that guard and open. A refresh can't: the plugin cuts a live
 * object to the fields and list entries that the last inputs had, so that one more subject, rule or peer is never seen. So
 * the program compares the live objects itself. Where one differs, its annotation does too, which makes the plugin apply the
 * object again; and lists are replaced whole.
 */
export class Drift {
  /** For what a run declares and leaves alone. */
  static readonly none = new Drift({ managedObjects: new Map() });

  readonly #snapshot: Parameters<typeof classifiedIn>[1];
  readonly #members: ReadonlyMap<string, Of>;
  readonly #changed: Finding<"changedByHand">[] = [];

  /** @param members whose objects it compares beside those that members share. Default: nobody's are told from others' */
  constructor(snapshot: Parameters<typeof classifiedIn>[1], members: readonly Of[] = []) {
    this.#snapshot = snapshot;
    this.#members = new Map(members.map((of) => [of.member.name, of]));
  }

  /** How it stands, as the plan has it. */
  of<T extends Compared>(object: T): Classified<T> {
    return classifiedIn(object, this.#snapshot, this.#members.get(object.args.metadata.labels[memberLabel] ?? ""));
  }

  /** What is declared, with the annotation that it takes to put it back, or that the last run left. */
  marked<T extends Declared>(object: Compared & { readonly args: T }): T {
    const classified = this.of(object);
    const { live, verdict } = classified;
    const { digest, by } = classified.difference;
    if (live === undefined) {
      return withMark(object.args, digest);
    }
    if (verdict === "changedByHand" && !isUnfinished(object.kind, live)) {
      this.#changed.push({ code, object: keyOf(object), facts: handFacts(classified) });
    }
    return withMark(object.args, by === undefined ? (appliedTo(live) ?? digest) : `${digest}.${live.resourceVersion}`);
  }

  /** The Service beside an ingress controller, which no run marks: what is put beside it is named all the same. */
  named(object: Compared): Declared {
    const { difference } = this.of(object);
    if (difference.added !== undefined) {
      this.#changed.push({
        code,
        object: keyOf(object),
        facts: { isRebound: false, isAggregated: false, added: difference.added },
      });
    }
    return object.args;
  }

  /** What was changed by hand and could not be put back yet is told as `marked` does, and declared as the last run left it. */
  reported(object: Compared): Declared {
    this.marked(object);
    return this.kept(object);
  }

  /** What is declared, with the annotation that the last run left: nothing is put back. */
  kept(object: Compared): Declared {
    const { live, difference } = this.of(object);
    return withMark(object.args, appliedTo(live) ?? difference.digest);
  }

  /** All that differs. */
  get findings(): readonly Finding<"changedByHand">[] {
    return this.#changed;
  }
}

/** Whether it is as a run has left it that failed after it had ended access, or had taken a path for somebody else. */
function isUnfinished(kind: string, live: Found): boolean {
  const content = contentOf(live);
  const { subjects } = content as { subjects?: readonly unknown[] | null };
  return /^(Cluster)?RoleBinding$/.test(kind)
    ? (subjects ?? []).length === 0
    : Reflect.get(Object(content.spec), "ingressClassName") === parkedClass;
}

/** What is not seen in what is declared, and what applying the object again does not put back. */
const handFacts = (classified: Classified) => ({
  isRebound: isRebound(classified),
  isAggregated: contentOf(classified.live).aggregationRule !== undefined,
  added: classified.difference.added,
});

/** What the last run wrote into the annotation. */
const appliedTo = (live: Found | undefined) => (live !== undefined && "applied" in live ? live.applied : undefined);
