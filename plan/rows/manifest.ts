import { isDeepStrictEqual } from "node:util";
import { isCosiKind } from "../../cluster/kinds/bucketKinds.ts";
import { type Kind, kindEntry } from "../../cluster/kinds/kinds.ts";
import { logicalName } from "../../cluster/kinds/liveObject.ts";
import type { ObjectName } from "../../cluster/kinds/objectName.ts";
import { isWrittenByMembers } from "../../cluster/kinds/stackKinds.ts";
import type { Member } from "../../config/member/member.ts";
import { isOfRoute } from "../../config/names/logicalNames.ts";
import { namespaceName } from "../../config/names/names.ts";
import { besideGateway } from "../../config/route/route.ts";
import type { Settings } from "../../config/settings.ts";
import { compare } from "../../config/values/sentences.ts";
import type { Declared } from "../../objects/declared.ts";
import { memberRows } from "./memberRows.ts";
import {
  lifetimeOf,
  type Made,
  type MemberFacts,
  type Named,
  type Place,
  type PlannedObject,
  placeOf,
  type ReadObject,
  type Row,
} from "./row.ts";
import { sharedRows } from "./sharedRows.ts";

export interface MemberObjects {
  /** Objects for an open and for a closed path. */
  readonly base: readonly PlannedObject[];
  readonly route: readonly ReadObject[];
}

/** Last objects by member, used again while the member's facts are equal; neither changes in place. */
const listed = new WeakMap<Member, { readonly facts: MemberFacts; readonly objects: MemberObjects }>();

/** Objects of a member: while the facts stay equal, the watch gets the same objects at each look. */
export function memberObjects(facts: MemberFacts): MemberObjects {
  const { member, settings } = facts;
  const before = listed.get(member);
  if (before !== undefined && isDeepStrictEqual(before.facts, facts)) {
    return before.objects;
  }
  const of = { member, stack: settings };
  const all = memberRows.flatMap((row) =>
    row
      .made(facts)
      .flatMap((made) => leftAlone(row, made, facts))
      .map((made) => planned(row, made, of, settings)),
  );
  const objects = { base: all.filter((each) => !isOfRoute(each)), route: all.filter(isOfRoute).filter(isRead) };
  listed.set(member, { facts, objects });
  return objects;
}

/** Of a kind that could not be read, what Pulumi's state has stays as it is, and nothing is made. */
function leftAlone({ part, kind }: Row<never>, made: Made, { member, unread }: MemberFacts): Made[] {
  if (!unread?.kinds.has((made.kind ?? kind) as Kind)) {
    return [made];
  }
  const stands =
    unread.last?.has(logicalName({ member: member.name, part: part.replace("*", made.vary ?? "") })) ?? true;
  return stands ? [{ ...made, ignored: ["*"], marked: "none" }] : [];
}

export interface PossibleObject extends Pick<PlannedObject, "part" | "kind" | "name" | "namespace"> {
  readonly isGuard: boolean;
  readonly others: Row<never>["others"];
}

export function possibleObjects(member: Member, settings: Pick<Settings, "stack" | "route">): PossibleObject[] {
  const of = { member, stack: settings };
  return memberRows.flatMap(({ part, kind, name, others, isGuard = false, varies = () => [""], kindOf, ...row }) =>
    varies(member).map((vary) => ({
      part: part.replace("*", vary),
      kind: kindOf?.(member, vary) ?? kind,
      name: name(of, vary),
      namespace: namespaceOf(placeOf(row), member, settings),
      isGuard,
      others,
    })),
  );
}

const listedShared = {
  mutating: new WeakMap<Settings, readonly PlannedObject[]>(),
  plain: new WeakMap<Settings, readonly PlannedObject[]>(),
};

/** The same objects for the same settings. @param mutates whether the API server has MutatingAdmissionPolicies */
export function sharedObjects(
  settings: Settings,
  { mutates = false }: { readonly mutates?: boolean | undefined } = {},
): readonly PlannedObject[] {
  const listed = listedShared[mutates ? "mutating" : "plain"];
  const before = listed.get(settings);
  if (before !== undefined) {
    return before;
  }
  const of = { member: nobody, stack: settings };
  const facts = { settings, mutates };
  const objects = sharedRows.flatMap((row) => row.made(facts).map((made) => planned(row, made, of, settings)));
  listed.set(settings, objects);
  return objects;
}

const nobody = { name: "" };

export const isRead = <T extends Pick<PlannedObject, keyof ObjectName>>(object: T): object is T & ObjectName =>
  !isCosiKind(object.kind);

export const isIgnored = ({ ignored }: Pick<PlannedObject, "ignored">): boolean => ignored.length > 0;

const namespaceOf = (place: Place, member: Named["member"], settings: Pick<Settings, "route">) =>
  ({
    home: namespaceName(member),
    controller: settings.route.beside,
    gateway: besideGateway(settings),
    cluster: undefined,
  })[place];

function planned<T>(
  { part, kind: usual, name, replaced, oursBy, fixedIn, isControllers, ...row }: Row<T>,
  { vary = "", build, kind = usual, apiVersion, ignored = [], marked = "whole", role }: Made,
  of: Named,
  settings: Pick<Settings, "route">,
): PlannedObject {
  const place = placeOf(row);
  let args: Declared | undefined;
  return {
    part: part.replace("*", vary),
    apiVersion: apiVersion ?? (isCosiKind(kind) ? "" : kindEntry(kind).apiVersion),
    kind,
    name: name(of, vary),
    namespace: namespaceOf(place, of.member, settings),
    isDeletable: place === "home" && !isCosiKind(kind) && isWrittenByMembers({ kind }),
    ignored,
    marked,
    role,
    lifetime: lifetimeOf(row),
    oursBy,
    fixedIn,
    isControllers: isControllers === true,
    replaced,
    get args() {
      args ??= ignored.length > 0 ? build() : withManager(build());
      return args;
    },
  };
}

/** Otherwise the plugin generates a manager, and what a killed run applied under another name would stay for good. */
function withManager(declared: Declared): Declared {
  const annotations = { ...declared.metadata.annotations, "pulumi.com/patchFieldManager": "kubecamp" };
  return { ...declared, metadata: { ...declared.metadata, annotations } };
}

export const isOfPolicy = ({ part }: Pick<PlannedObject, "part">): boolean => part.startsWith("access/admission/");

export const policyObjectsOf = ({ shared }: { readonly shared: readonly PlannedObject[] }): ReadObject[] =>
  shared
    .filter(isRead)
    .filter(isOfPolicy)
    .sort((a, b) => compare(a.name, b.name));
