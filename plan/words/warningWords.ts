import { kubectlDelete } from "../../cluster/kinds/objectName.ts";
import { counted, firstFew } from "../../config/values/sentences.ts";
import { budgetText, exceededText } from "./budgetWords.ts";
import type { Finding, WarningCode } from "./finding.ts";
import { hardwareWords } from "./hardwareWords.ts";
import { leavingWords } from "./leavingWords.ts";
import { inDays, sleepTimeText, usedText } from "./noticeWords.ts";
import { offlineText, uncheckedText } from "./uncheckedWords.ts";
import type { WarningFacts } from "./warningFacts.ts";
import { each, inOneSentence, lineOf, listed, type Wording } from "./wording.ts";

/** Limits of names in a sentence. */
const mostNames = {
  anyImage: 3,
  asleep: 20,
  idleAdoption: 5,
  transfers: 5,
  notKept: 5,
  quotaNearlyFull: 20,
  unrecorded: 20,
};

/** The text of each warning. */
export const warningWords: { readonly [C in WarningCode]: Wording<C> } = {
  accessEnds: inOneSentence(
    "Suspended or expired; 'pulumi up' ends their access and closes their route: ",
    ({ member, facts: { lastDay, hasLeft } }) =>
      `${member}${hasLeft ? " (left the list)" : lastDay === undefined ? "" : ` (the last day was ${lastDay})`}`,
  ),
  accessNotEnded: (all) => [
    ["Access has not ended yet; it does when this run succeeds:", ...all.map(({ facts }) => facts.why)].join("\n"),
  ],
  anyImage: each(
    ({ facts: { members } }) =>
      `images: ${firstFew(members, mostNames.anyImage)} may run any image of any registry, also private ones that nodes have the ` +
      `credentials for; list the allowed images (docs/reference/images.md), or allow any with images: ["*"]`,
  ),
  asleep: (all) => [
    [...Map.groupBy(all, ({ facts: { text } }) => text)]
      .map(([text, same]) => `${firstFew(names(same), mostNames.asleep)}: ${text}`)
      .join("\n") +
      "\nThey have access, but no pods and no path. 'kubecamp watch' wakes them in time; without it, the next 'pulumi up'\n" +
      "after that does (docs/run/sleep.md).",
  ],
  backLater: listed(
    "Back from a suspension; controllers create the pods within a quarter of an hour, since they could not be nudged\n" +
      "(docs/run/suspension.md#let-the-member-come-back):",
    (one) => lineOf(one, one.facts.why),
  ),
  bucketInTheWay: listed("Buckets whose Secret or ConfigMap is missing until you do this:", (one) =>
    lineOf(one, one.facts.reason),
  ),
  buckets: listed("Buckets that are no longer in the list, and what 'pulumi up' does with them:", (one) =>
    lineOf(one, `'${one.facts.bucket}' ${bucketFate(one.facts)}`),
  ),
  bucketsLeft: listed("On the S3 server, and left there (docs/run/bucket-server.md#the-state-is-lost):", (one) =>
    lineOf(one, one.facts.why),
  ),
  budgetExceeded: (all) => [all.map(({ facts }) => exceededText(facts)).join("\n")],
  budgets: listed("Budgets, and what is left of them:", ({ facts }) =>
    lineOf({ object: facts.budget }, budgetText(facts)),
  ),
  certificate: each(({ facts: { path, message } }) => `${path}: ${message}`),
  changedByHand: listed("Changed by hand; 'pulumi up' restores it:", (one) =>
    lineOf(one, subjectTexts.changedByHand(one)),
  ),
  closing: listed("Routes that were open, and that 'pulumi up' closes:", (one) => lineOf(one, one.facts.reason)),
  noDevice: hardwareWords.noDevice,
  domain: each(
    ({ facts: { declared, found } }) =>
      `cluster.domain is '${declared}', and the API server's certificate has '${found}': if paths answer 502, ` +
      "look up what the cluster's pods have in /etc/resolv.conf",
  ),
  expires: inOneSentence(
    "Expires soon: ",
    ({ member, facts: { lastDay, days } }) => `${member} on ${lastDay} (${inDays(days)})`,
  ),
  removal: inOneSentence(
    "Removed soon: ",
    ({ member, facts: { day, days } }) => `${member} on ${day} (${inDays(days)})`,
  ),
  idleAdoption: each(
    ({ facts: { members } }) =>
      `Nothing is left to take over, but adopt is still set for ${firstFew(members, mostNames.idleAdoption)}: remove it, ` +
      "so that it never takes over a namespace by accident.",
  ),
  unarchived: (all) => [
    `No longer in the list, and kept after their day, because no archive has what is there now: ${all.map(({ member }) => member).join(", ")}. ` +
      "'kubecamp up' and the watch archive and delete them; to see why it fails: " +
      `kubecamp members archive ${all[0]?.member} --stack ${all[0]?.facts.stack}`,
  ],
  inGrace: inOneSentence(
    "No longer in the list, and suspended until a run deletes everything of theirs on the day or later: ",
    ({ member, facts: { leaves } }) => `${member} (${leaves})`,
    ". To undo it, put the entry back before that; to delete at once: docs/run/offboarding.md",
  ),
  jobOfTwo: listed(
    "CI jobs that deploy into two namespaces, of this stack and of another; take each out of the ci of one of the two:",
    (one) => lineOf(one, `${one.facts.job}, also of '${one.facts.owner}' in stack '${one.facts.stack}'`),
  ),
  leaving: leavingWords,
  leftDeleted: listed("Deleted, since neither the list nor Pulumi's state has it:", lineOf),
  leftPolicy: listed(
    "Admission policies that differ from their declaration, and that this identity may not write. They stay so until\n" +
      "an admin runs 'pulumi up' (docs/run/watch-in-cluster.md):",
    lineOf,
  ),
  leftRunning: inOneSentence(
    "Suspended, expired or asleep, but pods still run, because this run did not change their quotas: ",
    podsText,
    ".\nA full run stops them.",
  ),
  lockFreed: each(
    ({ facts: { stack, holders } }) =>
      `freed the lock on stack '${stack}' that was left by ${holders.join(" and ")}, which is gone`,
  ),
  lookAlike: listed("Names that look like others; compare them with your issuer's:", ({ facts: { text } }) => text),
  missing: listed("Deleted by hand; 'pulumi up --refresh' creates it again:", lineOf),
  transfers: (all) =>
    [...Map.groupBy(all, ({ facts: { family } }) => family)].map(([family, moved]) => {
      const who = moved.length === 1 ? "1 member is" : `${moved.length} members are`;
      const names = moved.map(({ member, facts: { from, to } }) => `${member} (${from} to ${to})`);
      return (
        `${who} still in the stack from before kubecamp:shards was changed, until ` +
        `'kubecamp up --stack ${family}' transfers them: ${firstFew(names, mostNames.transfers)}`
      );
    }),
  notGone: listed("Removed, and not gone yet (docs/run/terminating.md):", (one) => lineOf(one, one.facts.reason)),
  notTransferred: (all) =>
    [...Map.groupBy(all, ({ facts: { to, why } }) => `${to}: ${why}`)].map(([toWhy, some]) => {
      const names = firstFew(
        some.flatMap(({ member = [] }) => member),
        mostNames.transfers,
      );
      return `${names} ${some.length === 1 ? "stays here, and was" : "stay here, and were"} not transferred to ${toWhy}`;
    }),
  notKept: listed(
    "Restored by the last run, and did not stay: a webhook, a policy or another program sets it again. Find and stop that:",
    (one) => lineOf(one, subjectTexts.notKept(one)),
  ),
  notTakenOff: each(({ object, facts: { why } }) => `${object} is not as it should be: ${why}`),
  objectInTheWay: listed("Objects that members did not get, since another is in the way:", (one) =>
    lineOf(
      one,
      `${one.object} is the member's own: have them delete or rename it; if it is not, it has a text that Pulumi can't read: delete it`,
    ),
  ),
  offline: listed("Offline: this preview had no cluster. It can't know:", ({ facts }) =>
    lineOf({ object: facts.matter }, offlineText(facts)),
  ),
  owners: (all) => [
    [
      "Owner references, removed by 'pulumi up' so that nothing is deleted together with its owner. If a later run",
      "names them again, something restores them: stop that first (is the Members operator still running?).",
      ...[...Map.groupBy(all, ({ facts: { owner } }) => owner)].map(
        ([owner, owns]) => `  ${owner}: ${owns.map(({ object }) => object).join(", ")}`,
      ),
    ].join("\n"),
  ],
  pending: listed(
    (count) =>
      `${count === 1 ? "A route is" : `${count} routes are`} pending, and will open with the first 'pulumi up' that finds a fit Service:`,
    (one) => lineOf(one, one.facts.reason),
  ),
  pool: hardwareWords.pool,
  podsStop: inOneSentence("Suspended, expired or asleep; 'pulumi up' stops their pods: ", podsText),
  quotaNearlyFull: (all) => [
    [
      "Quotas that are nearly full:",
      ...all.slice(0, mostNames.quotaNearlyFull).map((one) => `  ${lineOf(one, usedText(one.facts))}`),
      ...(all.length > mostNames.quotaNearlyFull ? [`  and ${all.length - mostNames.quotaNearlyFull} more`] : []),
    ].join("\n"),
  ],
  quotaShrinks: (all) => [
    all
      .map(
        ({ member, facts: { resource, hard, used, refused } }) =>
          `${member}: ${resource} ${hard} is below what is used now, ${used}; what runs goes on, new ${refused} are refused until it fits`,
      )
      .join("\n"),
  ],
  selectsNobody: each(
    ({ facts: { place, meant } }) => `${place} selects no member${meant || "; correct it, or remove the entry"}`,
  ),
  serviceMended: listed(
    "Services taken over or repaired by 'pulumi up' (route.readiness.mode: managed); their other fields stay:",
    ({ object = "", facts: { mends } }) => `${object} ${mends.length === 0 ? "as it is" : `with ${mends.join(", ")}`}`,
  ),
  sharedLogin: each(({ facts: { path, message } }) => `${path}: ${message}`),
  sleepsSoon: (all) => [
    [...Map.groupBy(all, ({ facts }) => sleepTimeText(facts))]
      .map(([time, same]) => `Asleep soon: ${firstFew(names(same), mostNames.asleep)} at ${time}`)
      .join("\n"),
  ],
  sleepUnsettled: listed("Members whose falling asleep or waking is incomplete; the next run tries again:", (one) =>
    lineOf(one, one.facts.why),
  ),
  starterInTheWay: listed(
    "Starter apps that are missing or incomplete until you do this, or set their starter to off:",
    (one) => lineOf(one, one.facts.reason),
  ),
  takenOver: (all) => [
    [
      "Taken over (adopt) by 'pulumi up', without deleting or recreating them:",
      ...[...Map.groupBy(all, ({ member }) => member)].map(
        ([member, own]) => `  ${member}: ${own.map(subjectTexts.takenOver).join(", ")}`,
      ),
    ].join("\n"),
  ],
  unchecked: listed("Not checked, because this identity has no right to read these:", (one) =>
    lineOf(one, uncheckedText(one.facts)),
  ),
  unmanaged: (all) => [
    [
      "Not kubecamp's, not changed, and still limiting or granting access of members with adopt. Check them",
      "after 'pulumi up', and delete what nobody needs before you remove adopt:",
      ...[...Map.groupBy(all, ({ facts: { name } }) => name.namespace).values()].map(
        (some) => `  ${kubectlDelete(some.map(({ facts: { name } }) => name))}`,
      ),
    ].join("\n"),
  ],
  unrecorded: (all) => [
    [
      "Neither in the list nor in Pulumi's state, since a run was killed or the state lost. Pulumi alone leaves it; " +
        `'kubecamp up --stack ${all[0]?.facts.stack}' deletes it (docs/run/state.md#the-state-is-lost):`,
      ...all.slice(0, mostNames.unrecorded).map(({ object }) => `  ${object}`),
      ...(all.length > mostNames.unrecorded ? [`  and ${all.length - mostNames.unrecorded} more`] : []),
    ].join("\n"),
  ],
  unserved: (all) => {
    const refused = all.filter(({ facts }) => facts.refusal !== undefined);
    const lines = refused.map((one) => `  ${lineOf(one, one.facts.refusal)}`);
    const title = `Routes that ${gatewayOf(refused)} does not serve (docs/run/gateway.md):`;
    return [[...all.flatMap(gatewayText), ...(lines.length === 0 ? [] : [title, ...lines])].join("\n")];
  },
  unsplit: each(
    ({ facts: { members, shards, memory } }) =>
      `${members} members are in one stack, and a full run takes about ${memory.whole.toFixed(1)} GiB of memory; split over ` +
      `${shards} shards, one takes ${memory.shard.toFixed(1)} GiB: set kubecamp:shards to ${shards}, ` +
      "then 'kubecamp shards files' (docs/run/shards.md).",
  ),
};

type Worded = "changedByHand" | "closing" | "notKept" | "pending" | "takenOver" | "unchecked";

/** What is told of one member or object, without its name. */
export const subjectTexts: { readonly [C in Worded]: (one: Finding<C>) => string } = {
  changedByHand: ({ facts }) => handText(facts),
  closing: ({ facts }) => facts.reason,
  notKept: ({ facts }) => firstFew(facts.fields.map(fieldText), mostNames.notKept),
  pending: ({ facts }) => facts.reason,
  takenOver: ({ object, facts }) => `${object}${closedText(facts)}`,
  unchecked: ({ facts }) => uncheckedText(facts),
};

/** Names of members. */
const names = (all: readonly { readonly member?: string }[]) => all.flatMap(({ member }) => member ?? []);

function podsText({
  member,
  facts: { pods },
}: {
  readonly member?: string;
  readonly facts: { readonly pods: number };
}) {
  return `${member} (${counted(pods, "pod")})`;
}

/** The fate of a bucket. */
export function bucketFate({ deletes }: Pick<WarningFacts["buckets"], "deletes">): string {
  if (deletes === undefined) {
    return "stays on the server with all that is in it, closed to everybody (Retain)";
  }
  const { objects, more } = deletes;
  const count = counted(objects, "object").replace(String(objects), objects.toLocaleString("en"));
  return `is deleted with ${more ? "more than " : ""}${count} (Delete)`;
}

/** Shows values of labels alone: logs and comments have more readers than other fields. */
function fieldText({ field, live, declared }: WarningFacts["notKept"]["fields"][number]): string {
  const isLabel = field.startsWith("label ");
  if (declared === undefined) {
    return `${field} is ${isLabel ? live : "set"}, which nobody declares`;
  }
  return isLabel
    ? `${field} is ${live ?? "gone"}, declared ${declared}`
    : `${field} is ${live === undefined ? "gone" : "not as declared"}`;
}

/** Changes that the declaration doesn't show; and for those that applying it again doesn't revert, what does. */
function handText({ isRebound, isAggregated, added }: WarningFacts["changedByHand"]): string {
  const marks = [
    ...(added?.labels ?? []).map((key) => `label ${key}`),
    ...(added?.annotations ?? []).map((key) => `annotation ${key}`),
  ];
  return [
    ...(isRebound ? ["it is bound to another role, and only 'pulumi up --refresh' replaces it"] : []),
    ...(isAggregated
      ? ["it has an aggregationRule; if the next run names it again, remove that with 'kubectl edit'"]
      : []),
    ...(marks.length === 0 ? [] : [`removes what nobody declares: ${marks.join(", ")}`]),
  ].join("; ");
}

const closedText = ({ closed }: WarningFacts["takenOver"]) =>
  closed.length === 0 ? "" : ` (no longer at ${closed.join(" and ")})`;

const gatewayOf = ([first]: readonly { readonly facts: WarningFacts["unserved"] }[]) =>
  `Gateway '${first?.facts.gateway}'`;

function gatewayText({ facts: { gateway, state } }: { readonly facts: WarningFacts["unserved"] }): string[] {
  const named = `Gateway '${gateway}' (route.gateway)`;
  if (state === undefined) {
    return [];
  }
  return typeof state === "string"
    ? [
        `${named} ${state === "absent" ? "does not exist" : "is being deleted"}: no member's path can be reached until ` +
          "there is one (docs/run/gateway.md)",
      ]
    : [
        `${named} is not programmed (${state.unprogrammed}): ` +
          "no member's path can be reached until a controller serves it (docs/run/gateway.md)",
      ];
}
