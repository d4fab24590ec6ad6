import type { ApiObject } from "../../cluster/kinds/liveObject.ts";
import { keyOfCopy } from "../../cluster/read/copies.ts";
import type { Member } from "../../config/member/member.ts";
import { anyCustomKind, customVary, isCustomKind } from "../../config/names/customKinds.ts";
import { objectLabel } from "../../config/names/labels.ts";
import { namespaceName } from "../../config/names/names.ts";
import { type BuiltInKind, givenKindNames } from "../../config/objects/givenKinds.ts";
import type { GivenObject } from "../../config/objects/objects.ts";
import type { Settings } from "../../config/settings.ts";
import type { Declared } from "../../objects/declared.ts";
import { givenObject } from "../../objects/givenObject.ts";
import { type TakenObjects, theirFields, unreadCopyFields } from "../decisions/givenObjects.ts";
import { type KeptOptions, type Made, type MemberFacts, nameOnly, type Optioned, type Row, type There } from "./row.ts";

const common = (guards: (there: There) => string[]) => ({
  // The guards hold for their pods as well.
  after: guards,
  is: ({ metadata }: ApiObject) => metadata.labels?.[objectLabel] !== undefined,
  // The plan leaves out names that an object of the member's has.
  oursBy: "always" as const,
  others: "none" as const,
  // The member's own stays after its declaration ends.
  options: ({ labels, ignored }: Optioned): KeptOptions =>
    labels[objectLabel] === "theirs" || ignored.includes("*") ? { retainOnDelete: true } : {},
});

const ofKind = (kind: BuiltInKind, guards: (there: There) => string[]): Row<MemberFacts> => ({
  ...common(guards),
  part: `object/${kind.toLowerCase()}/*`,
  varies: ({ objects = [] }) => objects.filter((object) => object.kind === kind).map(({ name }) => name),
  kind,
  name: (_, name) => name,
  made: (facts) => madeIn(facts, (object) => object.kind === kind),
});

const ofCustomKinds = (guards: (there: There) => string[]): Row<MemberFacts> => ({
  ...common(guards),
  part: customPart,
  varies: ({ objects = [] }) =>
    objects.flatMap(({ kind, name }) => (isCustomKind(kind) ? [customVary(kind, name)] : [])),
  kind: anyCustomKind,
  kindOf: ({ objects = [] }, vary) =>
    objects.find(({ kind, name }) => isCustomKind(kind) && customVary(kind, name) === vary)?.kind ?? anyCustomKind,
  name: (_, vary) => vary.slice(vary.indexOf(":") + 1),
  made: (facts) =>
    madeIn(facts, ({ kind }) => isCustomKind(kind)).map((made) => ({
      ...made,
      vary: isCustomKind(made.kind) ? customVary(made.kind, made.vary) : made.vary,
    })),
});

const customPart = "object/*";

function madeIn({ member, settings, takenObjects }: MemberFacts, is: (object: GivenObject) => boolean) {
  const { names = [], ...taken } = takenObjects ?? { names: [] };
  return (member.objects ?? [])
    .filter((object) => is(object) && ![...names, ...(taken.theirs?.gone ?? [])].includes(keyIn(object)))
    .map((object) => ({
      ...madeOf(object, member, settings, { names, ...taken }),
      kind: object.kind,
      vary: object.name,
    }));
}

const keyIn = ({ kind, name }: GivenObject) => `${kind}/${name}`;

function madeOf(object: GivenObject, member: Member, settings: Settings, taken: TakenObjects): Made {
  const { name, copyOf } = object;
  if (taken.theirs?.left.includes(keyIn(object))) {
    return { vary: name, build: nothingOf(object, member), marked: "none", ignored: theirFields };
  }
  const copied = copyOf === undefined ? undefined : taken.copies?.get(keyOfCopy(object));
  if (copyOf !== undefined && copied === undefined) {
    return { vary: name, build: nameOnly(name, member), marked: "none", ignored: unreadCopyFields };
  }
  // The digest of a copy would tell of a secret.
  const marked = copied === undefined ? "whole" : "metadata";
  return {
    vary: name,
    build: () => givenObject(object, member, settings, copied),
    // Nothing of it is compared once it is theirs.
    marked: object.isTheirs ? "none" : marked,
  };
}

/** Declares nothing of a member's own object: if Pulumi's state has lost it, the run imports it without a change. */
const nothingOf =
  ({ name, content }: GivenObject, member: Member) =>
  (): Declared => ({
    metadata: { name, namespace: namespaceName(member), labels: {} },
    ...("spec" in content ? { spec: {} } : {}),
  });

export const objectParts = [...givenKindNames.map((kind) => `object/${kind.toLowerCase()}/*`), customPart];

export const objectRows = (guards: (there: There) => string[]): readonly Row<MemberFacts>[] => [
  ...givenKindNames.map((kind) => ofKind(kind, guards)),
  ofCustomKinds(guards),
];
