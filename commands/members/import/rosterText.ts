import { dayAfter } from "../../../config/values/days.ts";
import { mistakeLine } from "../../../config/values/mistakes.ts";
import { counted, firstFew } from "../../../config/values/sentences.ts";
import { table } from "../../common/table.ts";
import { type EntryDifference, entryDifferenceJson, fieldsText } from "../edit/differences.ts";
import type { PlannedEdit } from "../edit/plannedEdit.ts";
import { adoption, type Person, type RosterPlan, type RosterRules } from "./rosterPlan.ts";

export function rosterTable({ people }: RosterPlan, { differences }: PlannedEdit, rules: RosterRules, width?: number) {
  const personOf = new Map(people.map((person) => [String(person.after.member), person]));
  const rows = differences
    .map((one) => ({ one, person: personOf.get(one.member) }))
    .sort((a, b) => (a.person?.line ?? Number.POSITIVE_INFINITY) - (b.person?.line ?? Number.POSITIVE_INFINITY))
    .map(({ one, person }) => [
      String(person?.line ?? "-"),
      escaped(person?.key ?? "-"),
      one.member,
      escaped(changeText(one, person, rules)),
    ]);
  return table([["LINE", escaped(rules.match.column.toUpperCase()), "MEMBER", "CHANGE"], ...rows], {
    width,
    wrapLast: true,
  });
}

/** Fields that change; of a new member, only those that not all new members have. */
function changeText({ action, fields }: EntryDifference, person: Person | undefined, rules: RosterRules): string {
  if (person === undefined) {
    return `missing: ${fieldsText(fields)}`;
  }
  const isOwn = ({ field }: (typeof fields)[number]) =>
    rules.take.some(({ path }) => path.join(".") === field) ||
    (field === "subject" && rules.match.path.join() === "member");
  const own = fields.filter(isOwn);
  return action === "add" ? ["new", ...(own.length > 0 ? [fieldsText(own)] : [])].join(": ") : fieldsText(fields);
}

const escaped = (text: string) => mistakeLine({ path: "", message: text });

export function rosterSummary(file: string, plan: RosterPlan, edit: PlannedEdit, rules: RosterRules): string {
  const { added, changed } = counts(edit, plan);
  const same = plan.people.length - added - changed;
  const given = [...rules.defaults, ...rules.set, ...adoption(rules)].map(({ path, value }) => ({
    field: path.join("."),
    before: undefined,
    after: value,
  }));
  const closed = closedPeople(plan, rules.today);
  return [
    ...(added > 0 && given.length > 0 ? [`Each new member has: ${escaped(fieldsText(given))}`] : []),
    `${file}: ${people(plan.people.length)}, ${added} new, ${changed} changed, ${same} as before`,
    ...missingText(plan, rules),
    ...(closed.length > 0
      ? [
          `In the roster, but suspended, expired or expiring: ${firstFew(closed, mostNames)}. 'members resume' and 'members set' change that`,
        ]
      : []),
  ].join("\n");
}

function missingText({ missing }: RosterPlan, { leavers }: RosterRules): string[] {
  if (missing.names.length === 0) {
    return [];
  }
  const what = {
    list: "they stay as they are",
    suspend: "they are suspended",
    expire: `their last day is ${leavers.kind === "expire" ? leavers.on : ""}`,
  }[leavers.kind];
  return [
    `Missing from the roster, of ${counted(missing.imported, "member")} of this roster: ${missing.names.join(", ")}; ${what}`,
  ];
}

const mostNames = 10;
const people = (count: number) => (count === 1 ? "1 person" : `${count} people`);

/** Days in which an end of access is soon. */
const soon = 30;

/** Members of the roster who are suspended, or whose last day is over or soon, unless the roster sets it. */
function closedPeople({ people }: RosterPlan, today: string): string[] {
  const end = dayAfter(today, soon);
  return people.flatMap(({ after: { member, suspended, expires }, before }) => {
    if (before === undefined) {
      return [];
    }
    if (suspended === true) {
      return [`${member} (suspended)`];
    }
    const isSoon = typeof expires === "string" && expires === before.expires && expires <= end;
    return isSoon ? [`${member} (${expires < today ? "expired" : "expires"} ${expires})`] : [];
  });
}

export function counts({ differences }: PlannedEdit, { people }: RosterPlan): { added: number; changed: number } {
  const there = new Set(people.flatMap(({ before }) => (before === undefined ? [] : [String(before.member)])));
  return {
    added: differences.filter(({ action }) => action === "add").length,
    changed: differences.filter(({ action, member }) => action === "change" && there.has(member)).length,
  };
}

export function rosterJson(file: string, plan: RosterPlan, edit: PlannedEdit, written: boolean) {
  const lines = new Map(plan.people.map(({ line, after }) => [String(after.member), line]));
  return {
    stack: edit.list.stack,
    file: edit.list.file,
    roster: file,
    people: plan.people.length,
    changes: edit.differences.map((one) => ({ line: lines.get(one.member) ?? null, ...entryDifferenceJson(one) })),
    missing: plan.missing.names,
    written,
  };
}
