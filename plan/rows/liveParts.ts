import type { ApiObject } from "../../cluster/kinds/liveObject.ts";
import { anyCustomKind, customVary, isCustomKind } from "../../config/names/customKinds.ts";
import { namespaceName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { memberRows } from "./memberRows.ts";
import { type Named, placeOf, type Row } from "./row.ts";

type NamedRow = Pick<Row<never>, "part" | "kind" | "place" | "name" | "is">;

/** Rows with a fixed name come first: it says more than a pattern. */
const rows: readonly NamedRow[] = memberRows.toSorted(
  (a, b) => Number(a.part.includes("*")) - Number(b.part.includes("*")),
);

/** Logical name of a member's live object, without the member's name; undefined if no run makes it. */
export function memberPart(
  live: ApiObject,
  member: Named["member"],
  stack: Pick<Settings, "stack">,
): string | undefined {
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
