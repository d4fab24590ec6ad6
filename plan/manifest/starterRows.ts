import type { ApiObject } from "../../cluster/kinds/liveObject.ts";
import { starterAnnotation } from "../../naming/labels.ts";
import { starterName, starterPagesName } from "../../naming/names.ts";
import type { StarterKind } from "../decisions/starter/names.ts";
import { starterObjects } from "../objects/starter/starterObjects.ts";
import { starterOptions } from "./options.ts";
import { firstOf, type Made, type MemberFacts, type Row, type There } from "./row.ts";

/** Objects of a starter app, except its Service: members have that without one, too. */
export const starterRows = (guards: (there: There) => string[]): readonly Row<MemberFacts>[] => [
  {
    part: "starter/pages",
    kind: "ConfigMap",
    place: "home",
    name: () => starterPagesName,
    lifetime: "withNamespace",
    // The guards hold for these pods as well.
    after: guards,
    vouchedBy: isStarterMark,
    options: starterOptions,
    others: "none",
    made: (facts) => ofStarter("ConfigMap", facts),
  },
  {
    part: "starter/deployment",
    kind: "Deployment",
    place: "home",
    name: () => starterName,
    lifetime: "withNamespace",
    after: (there) => firstOf(there("starter/pages"), guards(there)),
    vouchedBy: isStarterMark,
    options: starterOptions,
    others: "none",
    made: (facts) => ofStarter("Deployment", facts),
  },
];

/** Whether it is the Role that records a starter app: members can recreate the app's own objects. */
function isStarterMark({ kind, metadata }: ApiObject): boolean {
  return kind === "Role" && metadata.annotations?.[starterAnnotation] !== undefined;
}

/** Objects of a starter app, made or registered without a change. */
function ofStarter(kind: StarterKind, { member, settings, starter, rolling = new Map() }: MemberFacts): Made[] {
  const objects = starter === undefined ? [] : starterObjects(member, starter, settings, rolling);
  return objects
    .filter((object) => object.kind === kind)
    .map(({ build, ignored, stays }) => ({ build, ignored, marked: stays ? "none" : "whole" }));
}
