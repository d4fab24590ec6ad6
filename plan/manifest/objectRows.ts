import { keyOfCopy } from "../../cluster/read/copies.ts";
import { type GivenKind, givenKindNames } from "../../config/model/givenKinds.ts";
import type { GivenObject } from "../../config/model/givenObjects.ts";
import type { Member } from "../../config/model/member.ts";
import type { Settings } from "../../config/model/settings.ts";
import { objectLabel } from "../../naming/labels.ts";
import { unreadCopyFields } from "../decisions/takenObjects.ts";
import { givenObject } from "../objects/givenObject.ts";
import { nameOnly } from "./declaredOf.ts";
import type { Made, MemberFacts, Row, TakenObjects, There } from "./row.ts";

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
  made: ({ member, settings, takenObjects }) =>
    (member.objects ?? [])
      .filter((object) => object.kind === kind && takenObjects?.names.includes(`${kind}/${object.name}`) !== true)
      .map((object) => madeOf(object, member, settings, takenObjects)),
});

function madeOf(object: GivenObject, member: Member, settings: Settings, taken: TakenObjects | undefined): Made {
  const { kind, name, copyOf } = object;
  const copied = copyOf === undefined ? undefined : taken?.copies?.get(keyOfCopy(object));
  if (copyOf !== undefined && copied === undefined) {
    return { vary: name, build: nameOnly(name, member), marked: "none", ignored: unreadCopyFields };
  }
  return {
    vary: name,
    build: () => givenObject(object, member, settings, copied),
    // Runs read no content of Services, nor of the copies, whose digest would tell of a secret.
    ...(kind === "Service" ? { marked: "named" } : copied === undefined ? {} : { marked: "metadata" }),
  };
}

/**
 * Objects that members are given.
 * @param guards parts that are in force before a member's pods run
 */
export const objectRows = (guards: (there: There) => string[]): readonly Row<MemberFacts>[] =>
  givenKindNames.map((kind) => ofKind(kind, guards));
