import { kindEntry } from "../../cluster/kinds/kinds.ts";
import { logicalName } from "../../cluster/kinds/liveObject.ts";
import { isWrittenByMembers } from "../../cluster/kinds/stackKinds.ts";
import { type ClusterSnapshot, keyOf, type ObjectName } from "../../cluster/read/snapshot/snapshot.ts";
import { memberLabel, stackLabel } from "../../naming/labels.ts";
import { namespaceName } from "../../naming/names.ts";
import { unplanned } from "../compare/classify.ts";
import type { KnownObjects } from "../decisions/unread/lastState.ts";
import { memberPart } from "../manifest/liveParts.ts";
import { isRead } from "../manifest/manifest.ts";
import type { Finding } from "../messages/finding.ts";
import type { Plan } from "../plan.ts";

/** An object that a run of the stack has made. */
interface Made {
  readonly object: ObjectName;
  /** Its logical name. */
  readonly called: string;
}

/** The parts of a plan with all planned objects and their members. */
type KnownPlan = Pick<Plan, "list" | "members" | "settings"> & {
  readonly snapshot: Pick<ClusterSnapshot, "managedObjects" | "services" | "namespaces">;
};

/**
 * Logical names of objects that a killed run of the stack made without recording them in the state, and that are no longer
 * planned: no run would take them over or delete them.
 * @param known logical names in Pulumi's state
 */
export const unrecorded = (plan: KnownPlan, known: ReadonlySet<string>): string[] =>
  madeForNobody(plan).flatMap(({ called }) => (known.has(called) ? [] : [called]));

/**
 * Objects that a run of the stack made and that are no longer planned: the member left, or the object was dropped or closed.
 * Those that Pulumi's state lacks were made by a killed run. Objects that members can make at home are theirs, whatever
 * the labels.
 */
export function madeForNobody({ list, members, settings, snapshot }: KnownPlan): Made[] {
  const planned = new Set(members.flatMap(({ objects }) => objects.filter(isRead).map(keyOf)));
  const own = new Set(members.map(({ member }) => member.name));
  const elsewhere = new Set(list.flatMap(({ name }) => (own.has(name) ? [] : [name])));
  return unplanned(planned, snapshot).flatMap(({ object, live }) => {
    const { kind, name, namespace } = object;
    const { labels, annotations, terminating } = live;
    const { [stackLabel]: stack, [memberLabel]: member } = labels;
    const isEnding = terminating === true || snapshot.namespaces.get(namespace ?? "")?.terminating === true;
    if (stack !== settings.stack || member === undefined || elsewhere.has(member) || isEnding) {
      return [];
    }
    const isTheirs = namespace === namespaceName({ name: member }) && isWrittenByMembers(object);
    const metadata = { name, labels, annotations, ...(namespace === undefined ? {} : { namespace }) };
    const content = "type" in live ? { spec: { type: live.type } } : live.content;
    const part = memberPart(
      { ...content, apiVersion: kindEntry(kind).apiVersion, kind, metadata },
      { name: member },
      settings,
    );
    const called = part === undefined || isTheirs ? undefined : logicalName({ member, part });
    return called === undefined ? [] : [{ object, called }];
  });
}

/**
 * Objects that no `pulumi up` deletes, since its state lacks them.
 * @param known objects in the state; empty if it could not be read
 */
export function unrecordedFindings(plan: KnownPlan, known: KnownObjects): Finding<"unrecorded">[] {
  const missing = known.size === 0 ? [] : madeForNobody(plan).filter(({ object }) => !known.has(keyOf(object)));
  const facts = { stack: plan.settings.stack };
  return missing.map(({ object }) => ({ code: "unrecorded", object: keyOf(object), facts }));
}

/** Members with objects that a killed run did not record, and that are in Pulumi's state by now. */
export const takenInFindings = (members: readonly string[]): Finding<"takenIn">[] =>
  members.map((member) => ({ code: "takenIn", member, facts: {} }));
