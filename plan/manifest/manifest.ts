import { isDeepStrictEqual } from "node:util";
import { isCosiKind } from "../../cluster/kinds/cosi.ts";
import { kinds } from "../../cluster/kinds/kinds.ts";
import { isWrittenByMembers } from "../../cluster/kinds/stackKinds.ts";
import type { ObjectName } from "../../cluster/read/snapshot.ts";
import type { Member, Settings } from "../../config/model/settings.ts";
import { isOfRoute } from "../../naming/logicalNames.ts";
import { namespaceName } from "../../naming/names.ts";
import type { Declared } from "../objects/declared.ts";
import { memberRows } from "./memberRows.ts";
import type {
  KeptOptions,
  Lifetime,
  Made,
  MemberFacts,
  Named,
  Optioned,
  PlannedObject,
  ReadObject,
  Row,
  There,
} from "./row.ts";
import { sharedRows } from "./sharedRows.ts";

/** What a run registers of a member, in the order in which it is made. */
export interface MemberObjects {
  /** What it registers whether or not their path is open. */
  readonly base: readonly PlannedObject[];
  /** What their route consists of when it is open, each object after those that it refers to. */
  readonly route: readonly ReadObject[];
}

const listed = new WeakMap<Member, { readonly facts: MemberFacts; readonly objects: MemberObjects }>();

/** Listed once, as long as the same is decided of a member: whoever asks again, as the watch does at each look, gets the same objects. */
export function memberObjects(facts: MemberFacts): MemberObjects {
  const { member, settings } = facts;
  const before = listed.get(member);
  if (before !== undefined && isDeepStrictEqual(before.facts, facts)) {
    return before.objects;
  }
  const of = { member, stack: settings };
  const all = memberRows.flatMap((row) => row.made(facts).map((made) => planned(row, made, of, settings)));
  const objects = { base: all.filter((each) => !isOfRoute(each)), route: all.filter(isOfRoute).filter(isRead) };
  listed.set(member, { facts, objects });
  return objects;
}

/** An object that a member can have. */
export interface PossibleObject extends Pick<PlannedObject, "part" | "kind" | "name" | "namespace"> {
  readonly isGuard: boolean;
  readonly others: Row<never>["others"];
}

/** All of them, whatever has been decided. */
export function possibleObjects(member: Member, settings: Pick<Settings, "stack" | "route">): PossibleObject[] {
  const of = { member, stack: settings };
  return memberRows.flatMap(({ part, kind, place, name, others, isGuard = false, varies = () => [""] }) =>
    varies(member).map((vary) => ({
      part: part.replace("*", vary),
      kind,
      name: name(of, vary),
      namespace: namespaceOf(place, member, settings),
      isGuard,
      others,
    })),
  );
}

const listedShared = new WeakMap<Settings, readonly PlannedObject[]>();

/** All that a run registers of what members share, likewise listed once. */
export function sharedObjects(settings: Settings): readonly PlannedObject[] {
  const before = listedShared.get(settings);
  if (before !== undefined) {
    return before;
  }
  const of = { member: nobody, stack: settings };
  const objects = sharedRows.flatMap((row) => row.made(settings).map((made) => planned(row, made, of, settings)));
  listedShared.set(settings, objects);
  return objects;
}

const nobody = { name: "" };

/** Whether the program reads such objects, and so can compare them. */
export const isRead = <T extends Pick<PlannedObject, keyof ObjectName>>(object: T): object is T & ObjectName =>
  !isCosiKind(object.kind);

/** Whether it is registered as it stands, and nothing of it written. */
export const isLeft = ({ left }: Pick<PlannedObject, "left">): boolean => left.length > 0;

const namespaceOf = (place: Row<never>["place"], member: Named["member"], { route }: Pick<Settings, "route">) =>
  ({ home: namespaceName(member), controller: route.namespace, cluster: undefined })[place];

/** What an object of a run is called, from the name that the run gives it, which never changes. */
function planned<T>(
  { part, kind, place, name, replaced, lifetime, oursBy, fixedIn, isControllers }: Row<T>,
  { vary = "", build, apiVersion, left = [], marked = "whole", role }: Made,
  of: Named,
  settings: Pick<Settings, "route">,
): PlannedObject {
  let args: Declared | undefined;
  return {
    part: part.replace("*", vary),
    apiVersion: apiVersion ?? (isCosiKind(kind) ? "" : kinds[kind].apiVersion),
    kind,
    name: name(of, vary),
    namespace: namespaceOf(place, of.member, settings),
    isDeletable: place === "home" && !isCosiKind(kind) && isWrittenByMembers({ kind }),
    left,
    marked,
    role,
    lifetime,
    oursBy,
    fixedIn,
    isControllers: isControllers === true,
    replaced,
    get args() {
      args ??= build();
      return args;
    },
  };
}

const rows: readonly Omit<Row<never>, "made">[] = [...sharedRows, ...memberRows];
const order = rows.map(({ part }) => part);
const ranks = new Map<string, number>();

/** The place of a part's row among all of them; -1 for what is no object of the cluster, such as a bucket. */
function rankOf(part: string): number {
  const known = ranks.get(part);
  if (known !== undefined) {
    return known;
  }
  const exact = order.indexOf(part);
  const rank = exact === -1 ? order.findIndex((pattern) => variedIn(part, pattern) !== undefined) : exact;
  // Members have the same parts, thousands of times.
  ranks.set(part, rank);
  return rank;
}

/** Whether a part is made after another, for a sort. */
export const byOrder = (a: string, b: string) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1);

/**
 * The options by which Pulumi's state has it treated otherwise than others.
 * @param on what stands on it
 * @param left fields of it that a run leaves as they stand
 */
export function keptOptions(part: string, on: Partial<Optioned>, left: readonly string[]): KeptOptions {
  const { labels = {}, annotations = {} } = on;
  return {
    ...rows[rankOf(part)]?.options?.({ labels, annotations, left }),
    ...(left.length === 0 ? {} : { ignoreChanges: [...left] }),
  };
}

/** How an object hangs on others of its member, and on what members share; all by what a run calls them. */
export interface Links {
  /** What it is made after, and deleted before. */
  readonly after: readonly string[];
  readonly lifetime: Lifetime;
}

/** @param all what the member has, and what members share: nothing depends on what is not there */
export function linksOf(part: string, all: readonly string[]): Links {
  const rank = rankOf(part);
  const row = rows[rank];
  const before = all.filter((other) => rankOf(other) < rank).toSorted(byOrder);
  const there: There = (...patterns) =>
    patterns.flatMap((each) => before.filter((other) => variedIn(other, each) !== undefined));
  return {
    after: row?.after?.(there, variedIn(part, row.part) ?? "") ?? [],
    lifetime: row?.lifetime ?? "own",
  };
}

/** What stands for the `*`, empty where there is none; undefined for what does not fit. */
function variedIn(text: string, pattern: string): string | undefined {
  const [start = "", end] = pattern.split("*");
  if (end === undefined) {
    return text === pattern ? "" : undefined;
  }
  const vary = text.slice(start.length, text.length - end.length);
  return vary !== "" && !vary.includes("/") && text === start + vary + end ? vary : undefined;
}
