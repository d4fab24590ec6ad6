import { messageOf } from "../../cluster/api/errors.ts";
import { keyOf } from "../../cluster/kinds/objectName.ts";
import { isWrittenByMembers, stackKind } from "../../cluster/kinds/stackKinds.ts";
import { readCluster } from "../../cluster/read/read.ts";
import { contentOf } from "../../cluster/read/snapshot.ts";
import { namespaceName } from "../../config/names/names.ts";
import { isMap } from "../../config/values/maps.ts";
import { firstFew } from "../../config/values/sentences.ts";
import { differenceText, shownDifferences } from "../../objects/shown/differences.ts";
import { planFrom } from "../../plan/decide/run.ts";
import type { Classified } from "../../plan/live/classify.ts";
import { isEnding } from "../../plan/live/ending.ts";
import { uncheckedReason } from "../../plan/live/unread.ts";
import type { Plan } from "../../plan/members/plan.ts";
import type { ReadObject } from "../../plan/rows/row.ts";
import { notKeptText } from "../../plan/words/drift.ts";
import { broken, held, type Outcome, type Promised, type Tried, unproven } from "../outcome.ts";
import type { Trial } from "../trial.ts";

const page = "docs/run/what-a-run-does.md#changes-by-hand";
const ofStack: Promised = { promise: "The stack's policies and roles stand as declared", page };
const ofMembers: Promised = { promise: "Each member's namespace, guard rails and rights stand as declared", page };
const theStack = "the stack";

/** Compares what the list and the settings declare with what is on the cluster, as a preview does. */
export async function tryGuards({ stage, configuration }: Trial): Promise<readonly Tried[]> {
  const { members, settings } = configuration;
  const { signal, tell } = stage;
  const now = new Date();
  try {
    const snapshot = await readCluster(members, settings, { signal, notify: tell }, { run: "preview", now });
    return guardTrials(planFrom(configuration, snapshot, undefined, now));
  } catch (cause) {
    return [ofStack, ofMembers].map((promised) => ({ ...promised, by: theStack, outcome: unproven(messageOf(cause)) }));
  }
}

export function guardTrials(plan: Plan): readonly Tried[] {
  const { classified, members, settings, snapshot } = plan;
  const first = `it is not on the cluster yet; run 'kubecamp up --stack ${settings.stack}' first`;
  const homes = new Set(
    members.flatMap(({ member }) => (snapshot.namespaces.has(namespaceName(member)) ? [member] : [])),
  );
  const isUp = homes.size > 0 || classified.some(({ live }) => live !== undefined);
  const trials = (promised: Promised, by: string, all: readonly Classified<ReadObject>[], why: string | undefined) => {
    const outcomes = why === undefined ? all.filter(isGuarding).map((each) => outcomeOf(each, plan)) : [unproven(why)];
    const others = outcomes.filter(({ is }) => is !== "held");
    return (others.length === 0 ? [held] : others).map((outcome) => ({ ...promised, by, outcome }));
  };
  return [
    ...trials(ofStack, theStack, classified, isUp ? undefined : first),
    ...members.flatMap(({ member, classified: own }) => {
      const ending = isEnding(member, snapshot) ? "their namespace is being deleted" : undefined;
      return trials(ofMembers, member.name, own, homes.has(member) ? ending : first);
    }),
  ];
}

/** Leaves out what members write themselves, and routes: those close by themselves, and are tried as `route`. */
const isGuarding = ({ object }: Classified<ReadObject>): boolean =>
  !isWrittenByMembers(object) && !object.part.startsWith("route/");

function outcomeOf(each: Classified<ReadObject>, { settings, snapshot }: Plan): Outcome {
  const { object, live, verdict } = each;
  const key = keyOf(object);
  const up = `kubecamp up --stack ${settings.stack}`;
  switch (verdict) {
    case "fine":
    case "theirs":
      return held;
    case "unread":
      return unproven(uncheckedReason(snapshot, object.kind));
    case "toMake":
      return broken(key, "it is not there");
    case "declaredAnew":
      return unproven(`${key}: the settings have changed since the last up; run '${up}' first`);
    case "toTakeOver":
      return unproven(`${key}: '${up}' takes it over first`);
    case "foreign":
      // A run has applied it, and somebody has changed its labels since.
      return live?.applied === undefined
        ? unproven(`${key}: its labels say that it is not this stack's`)
        : broken(key, changeIn(each) || "its labels no longer say that it is this stack's");
    case "changedByHand":
      return broken(key, changeIn(each) || "it is not as declared");
  }
}

/** In the words of reports, from the declared to the live value: `CPU 2 → 20`. Leaves out fields that nobody declares. */
function changeIn({ object, live, difference }: Classified<ReadObject>): string {
  const { kind, args } = object;
  const { metadata, ...rest } = args;
  const before = { metadata: { labels: metadata.labels, annotations: metadata.annotations }, ...rest };
  const after = { metadata: { labels: live?.labels, annotations: live?.annotations }, ...contentOf(live) };
  // Conditions of policies are too long to be shown.
  const isLong = stackKind(kind).compared === "wholeSpec";
  const shown = isLong ? [] : shownDifferences({ type: "", kind, before, after: within(before, after), paths: [] });
  const named = difference.changed.filter(({ declared }) => isLong || declared === undefined);
  return firstFew(
    [...shown.map(differenceText), ...(named.length === 0 ? [] : [notKeptText({ facts: { fields: named } })])],
    5,
  );
}

type Fields = Readonly<Record<string, unknown>>;

const within = (declared: Fields, live: Fields): Fields =>
  Object.fromEntries(
    Object.entries(declared).map(([key, value]) => {
      const found = live[key];
      return [key, isMap(value) && isMap(found) ? within(value, found) : found];
    }),
  );
