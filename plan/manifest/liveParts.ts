import type { ApiObject } from "../../cluster/kinds/liveObject.ts";
import type { Settings } from "../../config/model/settings.ts";
import { namespaceName } from "../../naming/names.ts";
import { memberRows } from "./memberRows.ts";
import type { Named, Row } from "./row.ts";
import { sharedRows } from "./sharedRows.ts";

/** What a run calls an object if it is what members of a stack share; undefined for what no run makes. */
export const sharedPart = (live: ApiObject, stack: Pick<Settings, "stack">) =>
  found(live, sharedNames, { member: { name: "" }, stack })?.part;

/** What a run calls an object if it is a member's, after the member's name. */
export const memberPart = (live: ApiObject, member: Named["member"], stack: Pick<Settings, "stack">) =>
  found(live, memberNames, { member, stack })?.part;

/**
 * Whether an object at home that is called as one of a run's is none, as far as that can be told: members write such kinds.
 * @param others what else the member has
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

/** A name of its own tells more than one that is anybody's. */
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
  const placeOf = namespace === undefined ? "cluster" : namespace === namespaceName(of.member) ? "home" : "controller";
  for (const row of rows) {
    const vary =
      row.kind === live.kind && row.place === placeOf ? filledIn(name, (each) => row.name(of, each)) : undefined;
    if (vary !== undefined && row.part.includes("*") === (vary !== "") && (row.is?.(live) ?? true)) {
      return { row, part: row.part.replace("*", vary) };
    }
  }
  return undefined;
}

/**
 * What stands in a name where its row puts what varies, also what an older kubecamp had, and this one has not; empty where
 * nothing varies, and undefined for another name.
 */
function filledIn(name: string, build: (vary: string) => string): string | undefined {
  const [start = "", end] = build("\0").split("\0");
  if (end === undefined) {
    return name === start ? "" : undefined;
  }
  const vary = name.slice(start.length, name.length - end.length);
  return vary !== "" && name === build(vary) ? vary : undefined;
}
