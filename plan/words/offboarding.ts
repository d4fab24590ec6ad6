import { memberLabel, stackLabel } from "../../config/names/labels.ts";
import { namespaceName } from "../../config/names/names.ts";
import { defaultOffboarding } from "../../config/offboarding.ts";
import { counted, firstFew, nameLines } from "../../config/values/sentences.ts";
import {
  each,
  eachMember,
  inOneSentence,
  lineOf,
  listed,
  type Reason,
  type Reported,
  type WordsOf,
} from "./wording.ts";

export interface OffboardingRefusals {
  readonly namespaceEnding: {
    /** The stack whose state would decide but could not be read. */
    readonly unreadStateOf?: string;
  };
  readonly protectedRemoval: { readonly members: readonly string[] };
  readonly removalConflict: { readonly stack: string; readonly disowned: Disowned };
  readonly tooManyRemovals: {
    readonly members: readonly string[];
    readonly limit: number;
    readonly isListEmpty: boolean;
    /** How many of them a run would suspend, and remove after `graceDays`. */
    readonly suspends: number;
    readonly stack: string;
    readonly family: string | undefined;
    readonly maxRemovals: number | undefined;
  };
  readonly unknownRemovals: { readonly members: readonly string[]; readonly stack: string };
}

export interface OffboardingWarnings {
  readonly leaving: {
    readonly home: HomeContents | undefined;
    readonly routes: readonly string[];
    readonly services: readonly string[];
    /** Whether there may be a route that nobody could read. */
    readonly isRouteUnseen: boolean;
    readonly bindings: number | undefined;
    /** Whether others join in the same run, and may be the same people under new names. */
    readonly othersJoin: boolean;
  };
  readonly inGrace: { readonly leaves: string };
  /** A member whose day has come, and who is kept until they are archived. */
  readonly unarchived: { readonly stack: string };
  readonly notGone: Reason;
}

type Leaving = Reported<OffboardingWarnings["leaving"]>;

export type Disowned =
  | { readonly why: "another" }
  | { readonly why: "unlabelled" }
  | { readonly why: "labelled"; readonly label: string };

/** Contents that are lost with a namespace; undefined if nobody could read them. */
export interface HomeContents {
  readonly isTerminating: boolean;
  readonly pods: number | undefined;
  readonly claims: readonly { readonly name: string; readonly storage: string }[] | undefined;
  readonly services: readonly string[] | undefined;
}

export const offboardingWords: WordsOf<OffboardingRefusals & OffboardingWarnings> = {
  namespaceEnding: eachMember(({ member = "", facts: { unreadStateOf } }) => {
    const unread = `; only Pulumi's state tells whether a run can go on before that, and it could not be read ('pulumi stack export --stack ${unreadStateOf}')`;
    return `namespace '${namespaceName({ name: member })}' is still being deleted; wait until it is gone, then run again${unreadStateOf === undefined ? "" : unread}`;
  }),
  protectedRemoval: each(({ facts: { members } }) => {
    const [who, entry] =
      members.length === 1
        ? ["a protected member is", "the entry"]
        : [`${members.length} protected members are`, "the entries"];
    return `${who} no longer in the list, and can't be removed:
${nameLines(members, "      ")}
    Put ${entry} back. To remove them anyway, set 'protect: false' there and run 'pulumi up';
    then take ${entry} out and run it again.`;
  }),
  removalConflict: each(
    ({ member, facts: { stack, disowned } }) =>
      `'${member}' is no longer in the list, and a run would delete the namespace '${member}', but ${disownedText(disowned)}.
    To delete it: kubectl label namespace ${member} ${stackLabel}=${stack} ${memberLabel}=${member} --overwrite
    To keep it: put '${member}' back into the list; or have this stack forget it, resource by resource:
      pulumi stack --show-urns --stack ${stack}
      pulumi state delete URN --stack ${stack}`,
  ),
  tooManyRemovals: each(({ facts }) => tooManyText(facts)),
  unknownRemovals: each(
    ({ facts: { members, stack } }) =>
      `Pulumi's state of this stack could not be read, and may have namespaces that now belong to others, which the run would delete:
${nameLines(members, "      ")}
    Find out why this fails, and run again: pulumi stack export --stack ${stack}`,
  ),

  // In words that are true before the run and after it.
  leaving: (all) => [
    [
      "No longer in the list. A run that succeeds deletes what Pulumi's state has of theirs, which can't be undone:",
      ...all.map((leaver) => `  ${lineOf(leaver, possessions(leaver))}`),
      ...(all.some(({ facts: { othersJoin } }) => othersJoin)
        ? ["A new name is a new member: a renamed member loses everything too."]
        : []),
    ].join("\n"),
  ],
  inGrace: inOneSentence(
    "No longer in the list, and suspended until a run deletes everything of theirs on the day or later: ",
    ({ member, facts: { leaves } }) => `${member} (${leaves})`,
    ". To undo it, put the entry back before that; to delete at once: docs/run/offboarding.md",
  ),
  unarchived: (all) => [
    `No longer in the list, and kept after their day, because no archive has what is there now: ${all.map(({ member }) => member).join(", ")}. ` +
      "'kubecamp up' and the watch archive and delete them; to see why it fails: " +
      `kubecamp members archive ${all[0]?.member} --stack ${all[0]?.facts.stack}`,
  ],
  notGone: listed("Removed, and not gone yet (docs/run/terminating.md):", (one) => lineOf(one, one.facts.reason)),
};

export function possessions({ facts: { home, routes, services, isRouteUnseen, bindings } }: Leaving): string {
  const where = routes.join(", ") || services.join(", ") || (isRouteUnseen ? "(not looked at)" : "");
  const route = where === "" ? [] : [`route ${where}`];
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
      inBrackets((claims ?? []).map(({ name, storage }) => `${name} ${storage}`)),
    ...(services?.length === 0 ? [] : [numberOf(services?.length, "Service") + inBrackets(services ?? [])]),
  ];
  return `namespace${isTerminating ? ", which is being deleted already," : ""} with ${contents.join(", ")}`;
}

/** Undefined if nobody could read them: there may be any number. */
const numberOf = (count: number | undefined, noun: string) =>
  count === undefined ? `an unknown number of ${noun}s` : counted(count, noun);

const inBrackets = (texts: readonly string[]) => (texts.length === 0 ? "" : ` (${firstFew(texts, 5)})`);

function disownedText(disowned: Disowned): string {
  switch (disowned.why) {
    case "another":
      return `somebody has made it anew, without the label ${stackLabel}`;
    case "unlabelled":
      return `it has lost the label ${stackLabel}`;
    case "labelled":
      return `it has the label ${stackLabel}: ${disowned.label}`;
  }
}

function tooManyText(facts: OffboardingRefusals["tooManyRemovals"]): string {
  const { members, limit, isListEmpty, suspends } = facts;
  const many = members.length === 1 ? "1 member" : `${members.length} members`;
  const [remove, their] = verbsOf(suspends, members.length);
  const are = members.length === 1 ? "is" : "are";
  const [what, wayOut] = isListEmpty
    ? [
        `the list of members is empty, as if it had been truncated, and ${many} ${are} still here`,
        "Put the list back. If nobody should stay, 'pulumi destroy' removes the whole stack. To keep the stack and",
      ]
    : [`${many} ${are} no longer in the list`, "Put members who should stay back into the list. To"];
  return `${what}; a run may ${remove} ${limit === 0 ? "none" : limit} (offboarding.maxRemovals):
${nameLines(members, "      ")}
    ${wayOut} ${remove} ${many}${their}, allow it for one run:
${allowance(facts)}`;
}

/** What a run does with them, and with what. With `graceDays`, it suspends members first. */
function verbsOf(suspended: number, all: number): readonly [string, string] {
  if (suspended === 0) {
    return ["remove", " with everything that is theirs"];
  }
  return suspended === all ? ["suspend", ", and remove them after offboarding.graceDays"] : ["remove or suspend", ""];
}

function allowance({ members, stack, family, maxRemovals }: OffboardingRefusals["tooManyRemovals"]): string {
  if (family !== undefined) {
    // A shard takes its settings from a file that `pulumi config` takes for another stack's.
    return `      set kubecamp:offboarding.maxRemovals to ${members.length} in Pulumi.${family}.yaml,
      kubecamp up --stack ${family}
      and set it to ${maxRemovals ?? defaultOffboarding.maxRemovals} again`;
  }
  const key = `--stack ${stack} --path kubecamp:offboarding.maxRemovals`;
  const before = maxRemovals === undefined ? `rm ${key}` : `set ${key} ${maxRemovals}`;
  return `      pulumi config set ${key} ${members.length}
      pulumi up --stack ${stack}
      pulumi config ${before}`;
}
