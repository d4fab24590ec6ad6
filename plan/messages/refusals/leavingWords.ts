import { counted, firstOf, nameLines } from "../../../cluster/kinds/nameList.ts";
import type { Finding } from "../finding.ts";
import type { HomeContents } from "../warningFacts.ts";
import { lineOf, type Wording } from "../wording.ts";

type Leaving = Finding<"leaving">;

/** Removed members with a line each, and names in a line: as many as fit a comment on a pull request. */
const most = { lines: 20, objects: 5 };

/** Lists removed members and their losses, in words that are true before the run and after it. */
export const leavingWords: Wording<"leaving"> = (all) => {
  const further = all.slice(most.lines);
  return [
    [
      "No longer in the list. A run that succeeds deletes what Pulumi's state has of theirs, which can't be undone:",
      ...all.slice(0, most.lines).map((leaver) => `  ${lineOf(leaver, possessions(leaver))}`),
      ...(further.length === 0 ? [] : [sumOf(further)]),
      ...(all.some(({ facts: { othersJoin } }) => othersJoin)
        ? ["A new name is a new member: a renamed member loses everything too."]
        : []),
    ].join("\n"),
  ];
};

/** Existing possessions of a member: the namespace with its contents, the route, the access. */
function possessions({ facts: { home, routes, services, isRouteUnseen, bindings } }: Leaving): string {
  const where = routes.join(", ") || services.join(", ");
  const route = where === "" ? (isRouteUnseen ? ["route (not looked at)"] : []) : [`route ${where}`];
  const counting = bindings === undefined ? "bindings not counted" : counted(bindings, "binding");
  const access = bindings === 0 ? [] : [`access (${counting})`];
  return [...(home === undefined ? [] : [homeText(home)]), ...route, ...access].join("; ");
}

function homeText({ isTerminating, pods, claims, services }: HomeContents): string {
  const contents = [
    numberOf(pods, "unfinished pod"),
    numberOf(claims?.length, "PersistentVolumeClaim") +
      listed((claims ?? []).map(({ name, storage }) => `${name} ${storage}`)),
    ...(services?.length === 0 ? [] : [numberOf(services?.length, "Service") + listed(services ?? [])]),
  ];
  return `namespace${isTerminating ? ", which is being deleted already," : ""} with ${contents.join(", ")}`;
}

/** Undefined if nobody could read them: there may be any number. */
const numberOf = (count: number | undefined, noun: string) =>
  count === undefined ? `an unknown number of ${noun}s` : counted(count, noun);

const listed = (texts: readonly string[]) => (texts.length === 0 ? "" : ` (${firstOf(texts, most.objects)})`);

/** One line for all further members, with their names below it. */
function sumOf(further: readonly Leaving[]): string {
  const homes = further.flatMap(({ facts: { home = [] } }) => home);
  const total = (counts: readonly (number | undefined)[]) =>
    counts.reduce<number | undefined>(
      (sum, count) => (sum === undefined || count === undefined ? undefined : sum + count),
      0,
    );
  const pods = numberOf(total(homes.map((home) => home.pods)), "unfinished pod");
  const claims = numberOf(total(homes.map(({ claims }) => claims?.length)), "PersistentVolumeClaim");
  const names = further.flatMap(({ member = [] }) => member);
  return `  and ${further.length} more, with ${pods} and ${claims} in all:\n${nameLines(names, "    ")}`;
}
