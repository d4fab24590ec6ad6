import { setTimeout as sleep } from "node:timers/promises";
import type { V1ClusterRole, V1ClusterRoleBinding, V1RoleBinding } from "@kubernetes/client-node";
import { messageOf } from "../../cluster/api/errors.ts";
import { hands, inParallel } from "../../cluster/inParallel.ts";
import { allOf } from "../../cluster/kinds/kinds.ts";
import { keyOf, objectKey } from "../../cluster/kinds/objectName.ts";
import { namespaceName, serviceAccountName } from "../../config/names/names.ts";
import type { Configuration } from "../../config/settings.ts";
import { firstFew, withArticle } from "../../config/values/sentences.ts";
import { ciSubjects, subjects, subjectText } from "../../objects/rbac/subjects.ts";
import { isRead, memberObjects, sharedObjects } from "../../plan/rows/manifest.ts";
import { broken, held, type Outcome, type Promised, type Tried, tried, unproven } from "../outcome.ts";
import type { Player, Stage } from "../stage/stage.ts";
import type { Trial } from "../trial.ts";
import { attemptTrials } from "./access/attempts.ts";
import {
  type Acceptance,
  acceptancesIn,
  acceptedRules,
  authenticated,
  groupsOf,
  serviceAccounts,
} from "./access/everybody.ts";
import {
  beyond,
  declaredRules,
  everybodys,
  type Grants,
  grantsIn,
  type Right,
  type Rule,
  review,
  rightTexts,
  ruleOf,
  type Subject,
  subjectKey,
  toReview,
} from "./access/rights.ts";

const page = "docs/security/verify.md#a-right-that-the-list-does-not-give";
const promises = {
  members: { promise: "Members have the rights that their type gives, and no others", page },
  list: { promise: "Nobody in the list has more rights than the list gives", page },
  staff: { promise: "Staff do in a member's namespace what their role says, and nothing elsewhere", page },
  jobs: { promise: "CI jobs do what their member may at home, and nothing elsewhere", page },
  others: { promise: "Pods, and people in no list, have no rights in members' namespaces", page },
} satisfies Record<string, Promised>;

/** Somebody whose rights are compared with the declared ones. */
interface Somebody {
  readonly promised: Promised;
  readonly by: string;
  readonly subject: Subject;
}

interface Review extends Somebody {
  readonly namespace: string;
  /** Such as `at home`. */
  readonly where: string;
  /** Whether declared rights must be there: those of the list may wait for an up. */
  readonly isWhole: boolean;
}

export async function tryAccess({ stage, configuration, isPart = false }: Trial): Promise<readonly Tried[]> {
  const { settings, members } = configuration;
  const objects = [
    ...sharedObjects(settings).filter(isRead),
    ...stage.players.flatMap(({ base }) => base),
    ...members.flatMap((member) => memberObjects({ member, settings }).base.filter(isRead)),
  ];
  const known = somebodies(configuration, stage);
  const bound = await bindingsOf(stage).catch(messageOf);
  const { bindings, acceptances } = typeof bound === "string" ? { bindings: [], acceptances: [] } : bound;
  const given: Given = { grants: grantsIn(objects), known, acceptances };
  const compare = (reviews: readonly Review[]) =>
    inParallel(reviews, hands, (one) => tried(one.promised, one.by, () => outcomeOf(one, stage, given)));
  // First: the API server takes a moment to notice the new bindings.
  const ofPlayers = await compare(stage.players.flatMap((player, index) => reviewsOf(player, otherThan(index, stage))));
  const attempts = await attemptTrials(stage);
  const declared = new Set(objects.map(keyOf));
  const homes = new Set(members.map(namespaceName));
  const byHand = bindings.filter(
    ({ metadata: { name = "", namespace = "" } = {} }) =>
      homes.has(namespace) && !declared.has(objectKey("RoleBinding", name, namespace)),
  );
  const unread = [
    ...(typeof bound === "string" ? [bound] : []),
    ...(isPart
      ? ["a part of the list or of oidc is encrypted, or comes from an environment: nobody was asked about it"]
      : []),
  ];
  return [
    ...ofPlayers,
    ...attempts,
    ...acceptances.map(({ by, outcome }) => ({ ...promises.others, by, outcome })),
    ...unread.map((why) => ({ ...promises.list, by: "the stack", outcome: unproven(why) })),
    ...(await compare([...reviewsElsewhere(known, stage), ...reviewsBeside(byHand, known)])),
  ];
}

async function bindingsOf({ api }: Stage) {
  const [bindings, ofCluster, roles] = await Promise.all([
    api.list<V1RoleBinding>(allOf("RoleBinding")),
    api.list<V1ClusterRoleBinding>(allOf("ClusterRoleBinding")),
    api.list<V1ClusterRole>(allOf("ClusterRole")),
  ]);
  return { bindings, acceptances: acceptancesIn(ofCluster, roles) };
}

const otherThan = (index: number, { players }: Stage): string => players[(index + 1) % players.length]?.namespace ?? "";

function reviewsOf({ member, namespace }: Player, other: string): readonly Review[] {
  const by = withArticle(member.type.name);
  const pods = { kind: "ServiceAccount", name: serviceAccountName, namespace };
  const all: readonly Somebody[] = [
    { promised: promises.members, by, subject: { kind: "User", name: member.username } },
    { promised: promises.others, by: `a pod of ${by}`, subject: pods },
    ...ciSubjects(member).map((subject) => ({ promised: promises.jobs, by: `a CI job of ${by}`, subject })),
  ];
  return all.flatMap((one) => [
    { ...one, namespace, where: "at home", isWhole: true },
    { ...one, namespace: other, where: "in another member's namespace", isWhole: true },
    { ...one, namespace: "kube-system", where: "in kube-system", isWhole: true },
  ]);
}

/** All whom the list and the settings name, and those who stand for everybody else, by subject. */
function somebodies({ members, settings }: Configuration, { players }: Stage): ReadonlyMap<string, Somebody> {
  const [player] = players;
  const named = (promised: Promised, subject: Subject, by = subjectText(subject)) =>
    [subjectKey(subject), { promised, by, subject }] as const;
  return new Map([
    ...(settings.staff ?? []).map(({ subject }) => named(promises.staff, subject)),
    ...members.flatMap((member) => [
      ...ciSubjects(member).map((subject) => named(promises.jobs, subject, `CI jobs of ${member.name}`)),
      ...subjects(member).map((subject) =>
        named(promises.list, subject, subject.kind === "User" ? member.name : undefined),
      ),
    ]),
    [
      authenticated,
      { promised: promises.others, by: "somebody else who signs in", subject: { kind: "User", name: nobody(player) } },
    ],
    [
      serviceAccounts,
      {
        promised: promises.others,
        by: "a pod",
        subject: { kind: "ServiceAccount", name: serviceAccountName, namespace: player?.namespace ?? "" },
      },
    ],
  ]);
}

const nobody = (player: Player | undefined) => `${player?.member.username}-nobody`;

const reviewsElsewhere = (known: ReadonlyMap<string, Somebody>, { players }: Stage): readonly Review[] =>
  [...known.values()].map((one) => ({
    ...one,
    namespace: players.at(-1)?.namespace ?? "",
    where: "in another member's namespace",
    isWhole: false,
  }));

/** Where bindings that nobody declares name somebody. Others in them are those of whoever made these. */
const reviewsBeside = (bindings: readonly V1RoleBinding[], known: ReadonlyMap<string, Somebody>): readonly Review[] =>
  bindings.flatMap(({ metadata: { namespace = "" } = {}, subjects: all = [] }) =>
    all.flatMap((subject) => {
      const one = known.get(subjectKey(subject));
      return one === undefined ? [] : [{ ...one, namespace, where: `in namespace '${namespace}'`, isWhole: false }];
    }),
  );

/** Milliseconds until the API server has noticed all bindings, and between reviews. */
const noticing = 5_000;
const poll = 200;

/** Why somebody has a right. */
interface Given {
  readonly grants: Grants;
  readonly known: ReadonlyMap<string, Somebody>;
  readonly acceptances: readonly Acceptance[];
}

async function outcomeOf(one: Review, stage: Stage, { grants, known, acceptances }: Given): Promise<Outcome> {
  const { promised, subject, namespace, where, isWhole } = one;
  const ask = asking(subject, stage);
  const declared = declaredRules(grants, subject, namespace);
  const due = [...declared, ...everybodys, ...acceptedRules(acceptances, subject)];
  const asked = `asked the API server what they may do ${where}`;
  for (const end = performance.now() + noticing; ; await sleep(poll)) {
    const { rules, gap } = await rulesFor(ask, namespace);
    // What everybody has is a matter of `others` alone.
    const isShared = promised !== promises.others && beyond(rules, due).length > 0;
    const shared = isShared ? await rulesOfEverybody(groupsOf(subject), known, stage, namespace) : [];
    const [first, ...others] = beyond(rules, [...due, ...shared]);
    if (first !== undefined) {
      const texts = firstFew(rightTexts([first, ...others]), 5);
      const reason = await reasonFor(ask, first, namespace);
      const whose = others.length === 0 ? "" : "the first by ";
      return broken(asked, `they may also ${texts}${reason === "" ? "" : ` (${whose}${reason})`}`);
    }
    const missing = isWhole ? beyond(declared, rules) : [];
    if (gap !== undefined) {
      return unproven(`an authorizer of this cluster does not list what it allows: ${gap}`);
    }
    if (missing.length === 0) {
      return held;
    }
    if (performance.now() > end) {
      return broken(asked, `they may not ${firstFew(rightTexts(missing), 5)}, as the list gives`);
    }
  }
}

/** @param groups those of everybody, for whom somebody is asked who has only these */
async function rulesOfEverybody(
  groups: readonly string[],
  known: Given["known"],
  stage: Stage,
  namespace: string,
): Promise<readonly Rule[]> {
  const all = groups.flatMap((group) => known.get(group) ?? []);
  const found = await Promise.all(all.map(({ subject }) => rulesFor(asking(subject, stage), namespace)));
  return found.flatMap(({ rules }) => rules);
}

function asking({ kind, name, namespace }: Subject, { askAs, players }: Stage): Player["ask"] {
  if (kind === "Group") {
    return askAs(nobody(players[0]), name);
  }
  return askAs(kind === "ServiceAccount" ? `system:serviceaccount:${namespace}:${name}` : name);
}

async function rulesFor(ask: Player["ask"], namespace: string) {
  const found = await review(ask, "SelfSubjectRulesReview", { namespace });
  const { resourceRules, nonResourceRules, incomplete, evaluationError = "it gives no reason" } = found;
  const rules = [...(resourceRules ?? []), ...(nonResourceRules ?? [])].map(ruleOf);
  return { rules, gap: incomplete === true ? evaluationError : undefined };
}

/** What gives a right, in the API server's words; empty if it does not say. */
async function reasonFor(ask: Player["ask"], right: Right, namespace: string): Promise<string> {
  const { reason = "" } = await review(ask, "SelfSubjectAccessReview", toReview(right, namespace));
  return reason;
}
