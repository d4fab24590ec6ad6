import type { ApiObject } from "../../cluster/kinds/liveObject.ts";
import { anyCustomKind, customVary, isCustomKind } from "../../config/model/members/customKinds.ts";
import type { Settings } from "../../config/model/settings/settings.ts";
import { namespaceName } from "../../naming/names.ts";
import { memberRows } from "./memberRows.ts";
import { type Named, placeOf, type Row } from "./row.ts";
import { sharedRows } from "./sharedRows.ts";

/** Logical name of a live object that a stack's members share; undefined if no run makes it. */
export const sharedPart = (live: ApiObject, stack: Pick<Settings, "stack">) =>
  found(live, sharedNames, { member: { name: "" }, stack })?.part;

/** Logical name of a member's live object, without the member's name; undefined if no run makes it. */
export const memberPart = (live: ApiObject, member: Named["member"], stack: Pick<Settings, "stack">) =>
  found(live, memberNames, { member, stack })?.part;

/**
 * Whether an object at home has the name of a run's object but probably isn't one: members can write such kinds.
 * @param others other objects of the member
 */
export function isMadeUp(
  live: ApiObject,
  member: Named["member"],
  stack: Pick<Settings, "stack">,
  others: readonly ApiObject[],
): boolean {
  const { vouchedBy } = found(live, memberNames, { member, stack })?.row ?? {};
  return vouchedBy !== undefined && !others.some(vouchedBy);
}

type NamedRow = Pick<Row<never>, "part" | "kind" | "place" | "name" | "is" | "vouchedBy">;

/** Rows with a fixed name come first: it says more than a pattern. */
const byNames = (rows: readonly NamedRow[]) =>
  rows.toSorted((a, b) => Number(a.part.includes("*")) - Number(b.part.includes("*")));
const sharedNames = byNames(sharedRows);
const memberNames = byNames(memberRows);

function found(
  live: ApiObject,
  rows: readonly NamedRow[],
  of: Named,
): { readonly row: NamedRow; readonly part: string } | undefined {
  const { name, namespace } = live.metadata;
  const place = namespace === undefined ? "cluster" : namespace === namespaceName(of.member) ? "home" : "controller";
  for (const row of rows) {
    const vary =
      isOfRow(row, live) && placeOf(row) === place ? filledIn(name, (each) => row.name(of, each)) : undefined;
    if (vary !== undefined && row.part.includes("*") === (vary !== "") && (row.is?.(live) ?? true)) {
      return { row, part: row.part.replace("*", isCustomKind(live.kind) ? customVary(live.kind, vary) : vary) };
    }
  }
  return undefined;
}

const isOfRow = ({ kind }: NamedRow, live: ApiObject) =>
  kind === live.kind || (kind === anyCustomKind && isCustomKind(live.kind));

/**
 * The varying part of a name, whether or not the settings use that value; empty if nothing varies, undefined if the name
 * doesn't fit.
 */
function filledIn(name: string, build: (vary: string) => string): string | undefined {
  const [start = "", end] = build("\0").split("\0");
  if (end === undefined) {
    return name === start ? "" : undefined;
  }
  const vary = name.slice(start.length, name.length - end.length);
  return vary !== "" && name === build(vary) ? vary : undefined;
}
