import { type GivenKind, givenKindNames } from "../../config/model/givenKinds.ts";
import { objectLabel } from "../../naming/labels.ts";
import { givenObject } from "../objects/givenObject.ts";
import type { MemberFacts, Row, There } from "./row.ts";

/** Row of the objects of one kind that members are given. */
const ofKind = (kind: GivenKind, guards: (there: There) => string[]): Row<MemberFacts> => ({
  part: `object/${kind.toLowerCase()}/*`,
  varies: ({ objects = [] }) => objects.filter((object) => object.kind === kind).map(({ name }) => name),
  kind,
  place: "home",
  name: (_, name) => name,
  lifetime: "withNamespace",
  // The guards hold for their pods as well.
  after: guards,
  is: ({ metadata }) => metadata.labels?.[objectLabel] !== undefined,
  // The plan leaves out names that an object of the member's has.
  oursBy: "always",
  others: "none",
  made: ({ member, settings, given }) =>
    (member.objects ?? [])
      .filter((object) => object.kind === kind && given?.taken.includes(`${kind}/${object.name}`) !== true)
      .map((object) => ({
        vary: object.name,
        // Runs read no content of Services.
        ...(kind === "Service" ? { marked: "named" as const } : {}),
        build: () => givenObject(object, member, settings),
      })),
});

/**
 * Objects that members are given.
 * @param guards parts that are in force before a member's pods run
 */
export const objectRows = (guards: (there: There) => string[]): readonly Row<MemberFacts>[] =>
  givenKindNames.map((kind) => ofKind(kind, guards));
