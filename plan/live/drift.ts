import { keyOf, type ObjectName } from "../../cluster/kinds/objectName.ts";
import { contentOf, type Found } from "../../cluster/read/snapshot.ts";
import { memberLabel } from "../../config/names/labels.ts";
import { parkedClass } from "../../config/names/names.ts";
import type { Declared } from "../../objects/declared.ts";
import type { Finding } from "../words/finding.ts";
import { type Classified, type Comparable, classifiedIn, isRebound, type Owner } from "./classify.ts";
import { restoringMark, withMark } from "./difference.ts";

export type Compared = Comparable & ObjectName;

/**
 * Reverts changes by hand in what guards and opens. A refresh can't: the plugin cuts a live object to the last inputs,
 * and never sees a further subject, rule or peer. So the program compares the live objects itself. A changed object
 * gets another annotation, which makes the plugin apply it again; lists are replaced whole.
 */
export class Drift {
  /** For objects that a run declares and leaves unchanged. */
  static readonly none = new Drift({ managedObjects: new Map() });

  readonly #snapshot: Parameters<typeof classifiedIn>[1];
  readonly #members: ReadonlyMap<string, Owner>;
  readonly #changed: Finding<"changedByHand" | "notKept">[] = [];

  /** @param members owners of the objects to compare, besides shared ones. Default: all objects count as the stack's */
  constructor(snapshot: Parameters<typeof classifiedIn>[1], members: readonly Owner[] = []) {
    this.#snapshot = snapshot;
    this.#members = new Map(members.map((of) => [of.member.name, of]));
  }

  of<T extends Compared>(object: T): Classified<T> {
    return classifiedIn(object, this.#snapshot, this.#members.get(object.args.metadata.labels[memberLabel] ?? ""));
  }

  declared(object: Omit<Compared, "kind"> & { readonly kind: string }): Declared {
    return object.marked === "none" ? object.args : this.marked(object as Compared);
  }

  /** The declaration with the annotation that reverts a change, or with that of the last run. Reports changes by hand. */
  marked<T extends Declared>(object: Compared & { readonly args: T }): T {
    const classified = this.of(object);
    const { live, verdict } = classified;
    const { digest, by, changed, isAgain } = classified.difference;
    if (live === undefined) {
      return withMark(object.args, digest);
    }
    if (verdict === "changedByHand" && !isUnfinished(object.kind, live)) {
      const named = { object: keyOf(object) };
      this.#changed.push(
        isAgain
          ? { ...named, code: "notKept", facts: { fields: changed } }
          : { ...named, code: verdict, facts: handFacts(classified) },
      );
    }
    return withMark(
      object.args,
      by === undefined ? (live.applied ?? digest) : restoringMark(classified.difference, live),
    );
  }

  /** Reports a change by hand as `marked` does, but keeps the last run's annotation, since it can't be reverted yet. */
  reported(object: Compared): Declared {
    this.marked(object);
    return this.kept(object);
  }

  /** The declaration with the last run's annotation: nothing is reverted. */
  kept(object: Compared): Declared {
    const { live, difference } = this.of(object);
    return withMark(object.args, live?.applied ?? difference.digest);
  }

  get findings(): readonly Finding<"changedByHand" | "notKept">[] {
    return this.#changed;
  }
}

/** Whether a failed run left it so, after ending access or parking a path for another member. */
function isUnfinished(kind: string, live: Found): boolean {
  const content = contentOf(live);
  const { subjects } = content as { subjects?: readonly unknown[] | null };
  return /^(Cluster)?RoleBinding$/.test(kind)
    ? (subjects ?? []).length === 0
    : Reflect.get(Object(content.spec), "ingressClassName") === parkedClass;
}

/** Facts that the declaration doesn't show, and that applying it again doesn't revert. */
const handFacts = (classified: Classified) => ({
  isRebound: isRebound(classified),
  isAggregated: contentOf(classified.live).aggregationRule !== undefined,
  added: classified.difference.added,
});
