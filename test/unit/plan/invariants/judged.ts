import type { Member } from "../../../../config/member/member.ts";
import type { Settings } from "../../../../config/settings.ts";
import type { Planned } from "../../../../plan/members/plan.ts";
import { isIgnored } from "../../../../plan/rows/manifest.ts";
import { linksOf } from "../../../../plan/rows/order.ts";
import type { PlannedObject } from "../../../../plan/rows/row.ts";

/** An object of the plan, as invariants judge it. */
export interface Judged {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  /** As the API server gets it, without `apiVersion` and `kind`. */
  readonly args: object;
  readonly part: string;
  /** Undefined for the stack's shared objects. */
  readonly member: Member | undefined;
  /** Parts that it is made after: its dependencies, and theirs. */
  readonly after: () => ReadonlySet<string>;
}

export interface JudgedStack {
  readonly settings: Settings;
  readonly members: readonly Member[];
  readonly objects: readonly Judged[];
}

/** What is wrong with an object: none where the invariant holds. */
export type Check = (object: Judged, stack: JudgedStack) => string[];

/** An object with other arguments. */
export function judged(object: Pick<Judged, "kind" | "part" | "member" | "after">, args: object): Judged {
  const { name, namespace, labels = {} } = Object(Reflect.get(args, "metadata"));
  return { ...object, name: String(name), namespace, labels, args };
}

/** All objects that a run writes. The program registers the same: test/unit/plan/decide/nextRun.test.ts. */
export function judgedStack({ settings, shared, members }: Planned): JudgedStack {
  const all = [
    ...written(shared, undefined, shared),
    ...members.flatMap(({ member, objects }) => written(objects, member, [...shared, ...objects])),
  ];
  return { settings, members: members.map(({ member }) => member), objects: all };
}

/** @param all objects that others may come after */
function written(
  objects: readonly PlannedObject[],
  member: Member | undefined,
  all: readonly PlannedObject[],
): Judged[] {
  const parts = all.map(({ part }) => part);
  const known = new Map<string, ReadonlySet<string>>();
  const allBefore = (part: string): ReadonlySet<string> => {
    const before = known.get(part) ?? new Set(linksOf(part, parts).after.flatMap((each) => [each, ...allBefore(each)]));
    known.set(part, before);
    return before;
  };
  return objects
    .filter((object) => !isIgnored(object))
    .map(({ kind, part, args }) =>
      judged({ kind, part, member, after: () => allBefore(part) }, JSON.parse(JSON.stringify(args))),
    );
}

/** JSON of a value, if a condition does not hold. */
export const unless = (holds: boolean, field: string, value?: unknown): string[] =>
  holds ? [] : [value === undefined ? field : `${field}: ${JSON.stringify(value)}`];

/** The first object of a kind that a member has, or without one the stack. */
export const find = ({ objects }: JudgedStack, kind: string, member: Member | undefined, name?: string) =>
  objects.find(
    (each) => each.kind === kind && each.member?.name === member?.name && (name === undefined || each.name === name),
  );
