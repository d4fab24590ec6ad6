import { kindEntry } from "../../cluster/kinds/kinds.ts";
import { type ApiObject, logicalName } from "../../cluster/kinds/liveObject.ts";
import { keyOf, type ObjectName } from "../../cluster/kinds/objectName.ts";
import { isWrittenByMembers } from "../../cluster/kinds/stackKinds.ts";
import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import { anyCustomKind, customVary, isCustomKind } from "../../config/names/customKinds.ts";
import { memberLabel, stackLabel } from "../../config/names/labels.ts";
import { namespaceName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { unplanned } from "../live/classify.ts";
import type { KnownObjects } from "../live/knownState.ts";
import { isRead } from "../rows/manifest.ts";
import { memberRows } from "../rows/memberRows.ts";
import { byOrder, linksOf } from "../rows/order.ts";
import { type Named, placeOf } from "../rows/row.ts";
import type { Finding } from "../words/finding.ts";
import type { Plan } from "./plan.ts";

export interface UnrecordedObject {
  readonly object: ObjectName;
  readonly part: string;
  readonly called: string;
}

type KnownPlan = Pick<Plan, "list" | "members" | "settings"> & {
  readonly snapshot: Pick<ClusterSnapshot, "managedObjects" | "services" | "namespaces">;
};

/** Left by a killed run or a lost state: Pulumi would neither take over nor delete them. @param known its names */
export const unrecorded = (plan: KnownPlan, known: ReadonlySet<string>): UnrecordedObject[] =>
  madeForNobody(plan).filter(({ called }) => !known.has(called));

/** The member left, or it was dropped or closed. What members can make at home is their own, whatever the labels. */
function madeForNobody({ list, members, settings, snapshot }: KnownPlan): UnrecordedObject[] {
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
    const isHome =
      namespace === namespaceName({ name: member }) ||
      snapshot.namespaces.get(namespace ?? "")?.labels[memberLabel] !== undefined;
    const metadata = { name, labels, annotations, ...(namespace === undefined ? {} : { namespace }) };
    const content = "type" in live ? { spec: { type: live.type } } : live.content;
    const part = memberPart(
      { ...content, apiVersion: kindEntry(kind).apiVersion, kind, metadata },
      { name: member },
      settings,
    );
    return part === undefined || (isHome && isWrittenByMembers(object))
      ? []
      : [{ object, part, called: logicalName({ member, part }) }];
  });
}

/** Rows with a fixed name come first: it says more than a pattern. */
const rows = memberRows.toSorted((a, b) => Number(a.part.includes("*")) - Number(b.part.includes("*")));

function memberPart(live: ApiObject, member: Named["member"], stack: Pick<Settings, "stack">): string | undefined {
  const { name, namespace } = live.metadata;
  const placeIfAny = namespace === namespaceName(member) ? "home" : "controller";
  const place = namespace === undefined ? "cluster" : placeIfAny;
  for (const row of rows) {
    const isOfKind = row.kind === live.kind || (row.kind === anyCustomKind && isCustomKind(live.kind));
    const isOne = isOfKind && placeOf(row) === place;
    const vary = isOne ? filledIn(name, (each) => row.name({ member, stack }, each)) : undefined;
    if (vary !== undefined && row.part.includes("*") === (vary !== "") && (row.is?.(live) ?? true)) {
      return row.part.replace("*", isCustomKind(live.kind) ? customVary(live.kind, vary) : vary);
    }
  }
  return undefined;
}

/** Whether or not the settings use it; empty if nothing varies, undefined if the name doesn't fit. */
function filledIn(name: string, build: (vary: string) => string): string | undefined {
  const [start = "", end] = build("\0").split("\0");
  if (end === undefined) {
    return name === start ? "" : undefined;
  }
  const vary = name.slice(start.length, name.length - end.length);
  return vary !== "" && name === build(vary) ? vary : undefined;
}

/** Routes, keys, and namespaces last. A namespace's guards go with it: they must hold as long as its pods run. */
export function deletionRounds(made: readonly UnrecordedObject[]): ObjectName[][] {
  const ending = new Set(made.flatMap(({ object }) => (object.kind === "Namespace" ? [object.name] : [])));
  const goesAlong = ({ object, part }: UnrecordedObject) =>
    ending.has(object.namespace ?? "") && linksOf(part, []).lifetime === "withNamespace";
  const deleted = made.filter((each) => !goesAlong(each)).toSorted((a, b) => byOrder(b.part, a.part));
  return [...Map.groupBy(deleted, ({ part }) => part).values()].map((all) => all.map(({ object }) => object));
}

/** No `pulumi up` deletes them. @param known objects in the state; undefined if it was not read */
export function unrecordedFindings(plan: KnownPlan, known: KnownObjects | undefined): Finding<"unrecorded">[] {
  const missing = known === undefined ? [] : madeForNobody(plan).filter(({ object }) => !known.has(keyOf(object)));
  const facts = { stack: plan.settings.stack };
  return missing.map(({ object }) => ({ code: "unrecorded", object: keyOf(object), facts }));
}

export const deletedFindings = (objects: readonly ObjectName[]): Finding<"leftDeleted">[] =>
  objects.map((object) => ({ code: "leftDeleted", object: keyOf(object), facts: {} }));
