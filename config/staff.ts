import { z } from "zod";
import { hasAccess, type Member } from "./member/member.ts";
import { groupOf, hasPrefix, isReserved, type OidcSettings, prefixed, reserved, usernameOf } from "./oidc.ts";
import { encrypted, type Rule, type RuleContext } from "./rule.ts";
import type { Settings } from "./settings.ts";
import { end, endOf, untilOf } from "./values/days.ts";
import { noAddress } from "./values/emails.ts";
import type { EntryOf } from "./values/issues.ts";
import { defined, present, when } from "./values/maps.ts";
import { plainMistake, type RawMistake, valueAt, valueMistake } from "./values/mistakes.ts";
import { isSelected, type Selector, selectorMistakes, selectorOf, selectorSchema } from "./values/selector.ts";
import { choiceOf, identity, optional, text } from "./values/values.ts";

/**
 * To look (`view`), also to run commands in pods and restart (`assist`), or all that the member may do (`edit`). To make
 * pods for the member (`spawn`), which ServiceAccounts alone have, and no other.
 */
export type StaffRole = "view" | "assist" | "spawn" | "edit";

interface StaffSubject {
  readonly kind: "User" | "Group";
  readonly name: string;
}

/** A lease: access that ends by itself. */
interface Lease {
  /** The last day in UTC, as `2026-12-20`, or the time of the end, as `2026-12-20T18:00Z`. Default: no end. */
  readonly until?: string;
  readonly reason?: string;
}

export interface Staff extends Lease {
  readonly subject: StaffSubject;
  readonly role: StaffRole;
  readonly over: Selector;
}

export type BoundStaff = StaffSubject & Lease;

/** Staff of one member: each subject once, in their strongest role; no role without subjects. */
export type MemberStaff = Readonly<Partial<Record<StaffRole, readonly BoundStaff[]>>>;

/** Roles of staff. Of those that people have, each has all rights of the ones before it. */
export const staffRoles = ["view", "assist", "spawn", "edit"] as const satisfies readonly StaffRole[];

const serviceAccount = text.regex(
  /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\/[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/,
  "must be the ServiceAccount's namespace and name, such as hub/hub",
);

const staffEntrySchema = z.strictObject(
  {
    subject: optional(
      identity,
      "Name with which a person signs in, without `oidc.usernamePrefix`. An entry has this, `group` or `serviceAccount`.",
      { examples: ["tina@example.org"] },
    ),
    group: optional(identity, "A group of the issuer, without `oidc.groupsPrefix`. An entry has this or `subject`.", {
      examples: ["ta-cs101"],
    }),
    serviceAccount: optional(
      serviceAccount,
      "ServiceAccount of a controller that makes Pods for members, as `NAMESPACE/NAME`. It has `role: spawn`. See [jupyterhub.md](../run/jupyterhub.md).",
      { examples: ["hub/hub"] },
    ),
    role: choiceOf(staffRoles).meta({
      description:
        "`view` reads workloads and logs, but no Secrets; `assist` also runs commands in pods, forwards ports, restarts workloads and deletes pods; `edit` may do what the member may. `spawn`, for a `serviceAccount`, makes and deletes Pods, and makes PersistentVolumeClaims.",
      examples: ["assist"],
    }),
    over: optional(selectorSchema, "The members in whose namespaces the role holds. Default: all.", {
      examples: [{ labels: { course: "cs101" } }],
    }),
    until: optional(
      end,
      "Last day, in UTC, or the time of the end, to the minute with its zone; then a run takes the access away. Default: no end.",
      { examples: ["2026-12-20", "2026-12-20T18:00Z"] },
    ),
    reason: optional(
      identity.max(100, "must have at most 100 characters"),
      "Why, for the report, the board and whoever reads the RoleBinding.",
      { examples: ["exam week"] },
    ),
  },
  "must be an entry of staff: a subject, a group or a serviceAccount, and a role",
);

export const staffSchema = optional(
  z.array(staffEntrySchema, "must be a list of staff"),
  "People who get into members' namespaces, such as teachers or on-call. See [staff.md](../run/staff.md).",
  { examples: [[{ group: "ta-cs101", role: "assist", over: { labels: { course: "cs101" } } }]] },
);

const whoKeys = ["subject", "group", "serviceAccount"] as const;

type Entry = EntryOf<typeof staffEntrySchema>;

type WithOidc = { readonly oidc: OidcSettings };

export const staffOf = (entries: EntryOf<typeof staffSchema>, settings: WithOidc) =>
  present(entries).flatMap(({ role, over, until, reason, ...entry }): Staff[] => {
    const who = subjectOf(entry, settings);
    const lease = defined({ until: until === undefined ? undefined : untilOf(until), reason });
    return who === undefined || role === undefined ? [] : [{ subject: who, role, over: selectorOf(over), ...lease }];
  });

function subjectOf({ subject, group, serviceAccount }: Pick<Entry, (typeof whoKeys)[number]>, settings: WithOidc) {
  if (serviceAccount !== undefined) {
    // RBAC knows ServiceAccounts by this name, too.
    return { kind: "User", name: `system:serviceaccount:${serviceAccount.replace("/", ":")}` } as const;
  }
  if (subject !== undefined) {
    return { kind: "User", name: usernameOf(subject, settings) } as const;
  }
  return group === undefined ? undefined : ({ kind: "Group", name: groupOf(group, settings) } as const);
}

/** Whether an entry's access is over at a moment. */
const isOver = ({ until }: Pick<Staff, "until">, now: Date): boolean => until !== undefined && endOf(until) <= now;

/** Last members without the leases that are over: one object for each, so that the watch compares the same at each look. */
const last = new WeakMap<
  readonly Member[],
  { readonly running: readonly Staff[]; readonly members: readonly Member[] }
>();

/** The configuration's members without the leases that are over at a moment: a weaker role of somebody may be left. */
export function staffAt(
  members: readonly Member[],
  { staff = [] }: Pick<Settings, "staff">,
  now: Date,
): readonly Member[] {
  const running = staff.filter((entry) => !isOver(entry, now));
  if (running.length === staff.length) {
    return members;
  }
  const before = last.get(members);
  if (before?.running.length === running.length && running.every((entry, at) => entry === before.running[at])) {
    return before.members;
  }
  const made = { running, members: withStaff(members, { staff: running }) };
  last.set(members, made);
  return made.members;
}

/** Entries that give nobody access any more. They stop no run: access that is over must be taken back by any. */
export const leasesOver = ({ staff = [] }: Pick<Settings, "staff">, now: Date) =>
  staff.flatMap((entry, index) =>
    isOver(entry, now)
      ? [{ path: `staff[${index}].until`, message: `is over (${entry.until}): remove the entry` }]
      : [],
  );

/** Those who look after a member for a time. */
export const leasesOf = ({ staff = {} }: Pick<Member, "staff">) =>
  staffRoles.flatMap((role) =>
    (staff[role] ?? []).flatMap(({ until, ...who }) => (until === undefined ? [] : [{ ...who, until, role }])),
  );

/**
 * Adds to each member who looks after them, by leases as long as they run. A suspended or expired member looks after
 * nobody.
 */
export function withStaff(members: readonly Member[], { staff = [] }: Pick<Settings, "staff">): Member[] {
  const active = new Set(members.filter(hasAccess).map(({ username }) => username));
  // A member who left the list may be in it under another name.
  const closed = new Set(members.flatMap(({ username }) => (active.has(username) ? [] : [username])));
  const working = staff.filter(({ subject }) => subject.kind === "Group" || !closed.has(subject.name));
  return members.map((member) => {
    const over = memberStaff(member, working);
    if (Object.keys(over).length > 0) {
      return { ...member, staff: over };
    }
    const { staff: former, ...rest } = member;
    return former === undefined ? member : rest;
  });
}

const keyOf = ({ kind, name }: StaffSubject) => `${kind} ${name}`;

/** The environment's owner gets no further role in it. */
function memberStaff(member: Member, staff: readonly Staff[]): MemberStaff {
  const strongest = new Map<string, Held>();
  for (const { subject, role, over, until, reason } of staff) {
    const key = keyOf(subject);
    const own = roleOver(member, role);
    if (own === undefined) {
      continue;
    }
    const held = { subject: { ...subject, ...defined({ until, reason }) }, role: own };
    if (isStronger(held, strongest.get(key)) && isSelected(member, over) && !isOwn(member, subject)) {
      strongest.set(key, held);
    }
  }
  const all = [...strongest.values()];
  return Object.fromEntries(
    staffRoles.flatMap((role) => {
      const subjects = all.filter((each) => each.role === role).map(({ subject }) => subject);
      return subjects.length === 0 ? [] : [[role, subjects.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))]];
    }),
  );
}

interface Held {
  readonly subject: BoundStaff;
  readonly role: StaffRole;
}

/** Of equal roles, the one that ends later. */
function isStronger(one: Held, other: Held | undefined): boolean {
  const by = other === undefined ? 1 : staffRoles.indexOf(one.role) - staffRoles.indexOf(other.role);
  return by > 0 || (by === 0 && endTime(one.subject) > endTime(other?.subject ?? {}));
}

const endTime = ({ until }: Lease) => (until === undefined ? Number.POSITIVE_INFINITY : endOf(until).getTime());

/**
 * A member who may only look has no role to lend; `assist` has all that they may. Of somebody who has left, nothing changes
 * any more: their namespace is deleted as it was archived.
 */
function roleOver({ type, leaves }: Member, role: StaffRole): StaffRole | undefined {
  if (leaves !== undefined) {
    return role === "spawn" ? undefined : "view";
  }
  return role === "edit" && type.home === "view" ? "assist" : role;
}

const isOwn = ({ username, groups }: Member, { kind, name }: StaffSubject) =>
  kind === "User" ? name === username : groups.includes(name);

export const staffRule: Rule = (all) => [
  ...(all.raw.staff === undefined ? [] : encrypted([["staff"]], all)),
  ...(all.entry.staff ?? []).flatMap((entry = {}, index) => {
    const at = ["staff", index];
    return [
      ...whoMistakes(entry, at, all),
      ...serviceAccountMistakes(entry, at, all),
      ...staffNameMistakes(entry, at, all),
      ...selectorMistakes([...at, "over"], entry.over, all),
    ];
  }),
];

/** A name may be there under a wrong key, which is a mistake already. */
function whoMistakes(entry: Entry, at: PropertyKey[], { raw }: RuleContext): readonly RawMistake[] {
  const isRight = staffEntrySchema.safeParse(valueAt(raw, at)).success;
  const [first, second] = whoKeys.filter((key) => entry[key] !== undefined);
  const why =
    first === undefined
      ? "is nobody; set subject to a person, group to a group, or serviceAccount"
      : `has both a ${first} and a ${second}; make it two entries`;
  return when(isRight && (first === undefined || second !== undefined), plainMistake(at, why));
}

function serviceAccountMistakes(
  { serviceAccount, subject, group, role }: Entry,
  at: PropertyKey[],
  { candidates }: RuleContext,
): readonly RawMistake[] {
  if (serviceAccount === undefined) {
    const why = "is a role of ServiceAccounts; set serviceAccount instead, or another role";
    const isPersons = subject !== undefined || group !== undefined;
    return when(role === "spawn" && isPersons, valueMistake([...at, "role"], "spawn", why));
  }
  const [namespace] = serviceAccount.split("/");
  const isMembers = candidates.some(({ entry: { member } }) => member === namespace);
  const inside = `is in the namespace of member '${namespace}', whose Pods could use it; take one in a namespace of the platform`;
  return [
    ...when(
      role !== undefined && role !== "spawn",
      valueMistake([...at, "role"], role, "must be spawn for a serviceAccount"),
    ),
    ...when(isMembers, valueMistake([...at, "serviceAccount"], serviceAccount, inside)),
  ];
}

/** The rules of members' subjects and groups hold for staff, too. */
function staffNameMistakes({ subject, group }: Entry, at: PropertyKey[], all: RuleContext): RawMistake[] {
  const { settings } = all;
  const checks = [
    { key: "subject", prefix: "usernamePrefix", value: subject, nameOf: usernameOf },
    { key: "group", prefix: "groupsPrefix", value: group, nameOf: groupOf },
  ] as const;
  return checks.flatMap(({ key, prefix, value, nameOf }): RawMistake[] => {
    if (value === undefined) {
      return [];
    }
    const path = [...at, key];
    const name = nameOf(value, settings);
    const notSent = key === "subject" && settings.oidc.usernameClaim === "email" ? noAddress(value) : undefined;
    const why = hasPrefix(value, prefix, all) ? prefixed(prefix) : notSent;
    return [
      ...(why === undefined ? [] : [valueMistake(path, value, why)]),
      ...when(isReserved(name), valueMistake(path, name, reserved)),
    ];
  });
}
