import { counted, firstFew } from "../../config/values/sentences.ts";
import type { Finding } from "./finding.ts";
import type { HomeContents } from "./warningFacts.ts";
import { lineOf, type Wording } from "./wording.ts";

type Leaving = Finding<"leaving">;

/** Names in a line. */
const mostNames = 5;

/** Lists removed members and their losses, in words that are true before the run and after it. */
export const leavingWords: Wording<"leaving"> = (all) => [
  [
    "No longer in the list. A run that succeeds deletes what Pulumi's state has of theirs, which can't be undone:",
    ...all.map((leaver) => `  ${lineOf(leaver, possessions(leaver))}`),
    ...(all.some(({ facts: { othersJoin } }) => othersJoin)
      ? ["A new name is a new member: a renamed member loses everything too."]
      : []),
  ].join("\n"),
];

/** Existing possessions of a member: the namespace with its contents, the route, the access. */
export function possessions({ facts: { home, routes, services, isRouteUnseen, bindings } }: Leaving): string {
  const where = routes.join(", ") || services.join(", ");
  const route = where === "" ? (isRouteUnseen ? ["route (not looked at)"] : []) : [`route ${where}`];
  const counting = bindings === undefined ? "bindings not counted" : counted(bindings, "binding");
  const access = bindings === 0 ? [] : [`access (${counting})`];
  return [...(home === undefined ? [] : [homeText(home)]), ...route, ...access].join("; ");
}

/** Whether only a namespace is left that is already being deleted. */
export const isOnTheirWay = ({ facts: { home, routes, services, isRouteUnseen, bindings } }: Leaving): boolean =>
  home?.isTerminating === true && routes.length + services.length === 0 && !isRouteUnseen && bindings === 0;

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

const listed = (texts: readonly string[]) => (texts.length === 0 ? "" : ` (${firstFew(texts, mostNames)})`);
