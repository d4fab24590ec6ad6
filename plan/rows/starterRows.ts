import type { Member } from "../../config/member/member.ts";
import { starterAnnotation } from "../../config/names/labels.ts";
import { namespaceName, starterName, starterPagesName } from "../../config/names/names.ts";
import type { Declared } from "../../objects/declared.ts";
import { ignoredStarterFields, type StarterKind, starterObject } from "../../objects/starter/names.ts";
import { starterDeployment } from "../../objects/starter/starterDeployment.ts";
import { starterPages } from "../../objects/starter/starterPages.ts";
import { rollingUpdate } from "../decisions/rollingUpdate.ts";
import { firstOf, type KeptOptions, type Made, type MemberFacts, type Optioned, type Row, type There } from "./row.ts";

/** The member's own app stays after its declaration ends. */
const options = ({ annotations, ignored }: Optioned): KeptOptions =>
  annotations[starterAnnotation] === "once" || ignored.length > 0 ? { retainOnDelete: true } : {};

/** Objects of a starter app, except its Service: members have that without one, too. */
export const starterRows = (guards: (there: There) => string[]): readonly Row<MemberFacts>[] => [
  {
    part: "starter/pages",
    kind: "ConfigMap",
    name: () => starterPagesName,
    // The guards hold for these pods as well.
    after: guards,
    options,
    others: "none",
    made: (facts) => ofStarter("ConfigMap", facts),
  },
  {
    part: "starter/deployment",
    kind: "Deployment",
    name: () => starterName,
    after: (there) => firstOf(there("starter/pages"), guards(there)),
    options,
    others: "none",
    made: (facts) => ofStarter("Deployment", facts),
  },
];

function ofStarter(kind: StarterKind, { member, settings, starter: plan, rolling = new Map() }: MemberFacts): Made[] {
  const left = plan?.left.find((each) => each.kind === kind);
  if (plan === undefined || (left === undefined && !plan.made.includes(kind))) {
    return [];
  }
  const { mode } = plan;
  const rollout = () => rollingUpdate(member, mode, settings, { managedObjects: rolling });
  const build = (): Declared =>
    kind === "ConfigMap" ? starterPages(member, mode, settings) : starterDeployment(member, mode, settings, rollout());
  return [
    left === undefined
      ? { build, marked: mode === "once" ? "none" : "whole" }
      : {
          build: left.live ? () => nothingOf(kind, member) : build,
          ignored: ignoredStarterFields[kind],
          marked: "none",
        },
  ];
}

/**
 * If Pulumi's state has lost it, the run imports it without a change. To declare the member's version could fail the
 * run for everybody: some live objects are invalid for server-side apply, such as one with a variable twice.
 */
function nothingOf(kind: StarterKind, member: Member): Declared {
  const metadata = { name: starterObject(member, kind).name, namespace: namespaceName(member), labels: {} };
  return { metadata, ...(kind === "Deployment" ? { spec: {} } : {}) };
}
