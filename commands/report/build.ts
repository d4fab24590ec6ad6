import { accessType } from "../../config/names/urns.ts";
import { compare } from "../../config/values/sentences.ts";
import { differenceLines, shownDifferences } from "../../objects/shown/differences.ts";
import type { UpCommand } from "../../plan/words/catalogue.ts";
import type { Finding } from "../../plan/words/finding.ts";
import { isOnTheirWay, possessions } from "../../plan/words/offboarding.ts";
import { shortName } from "../../runs/selectedStack.ts";
import { accessChanges } from "./changes/access.ts";
import { isMadeAnew, lostBuckets } from "./changes/buckets.ts";
import { memberDifferences } from "./changes/memberDifferences.ts";
import { joinerOf, leaverOf, openMembers, routeChangesOf } from "./changes/memberParts.ts";
import type { Digest } from "./digest.ts";
import { type NoticeLine, type PreviewNotices, readNotices } from "./print/notices.ts";
import { objectName, readSteps, type Step } from "./steps.ts";

interface Circumstances {
  readonly stack: string;
  readonly failure?: string | undefined;
  /** Whether the run also deletes what Pulumi's state lacks of removed members. Default: false. */
  readonly deletesStranded?: boolean;
  /** The command that makes the run, as texts name it. Default: `pulumi up`. */
  readonly by?: UpCommand;
}

/** Effects of a run on members, from its preview. */
export type Report = Omit<ReturnType<typeof reportOf>, "closing" | "changedByHand">;

export function reportOf(digest: Digest, { stack, failure, deletesStranded = false, by = "pulumi up" }: Circumstances) {
  const notices = readNotices(digest, by);
  const { steps, recorded } = readSteps(digest);
  const members = membersIn(steps);
  const { joins = [], leaves = [], stays = [] } = Object.groupBy(members, ({ fate }) => fate);
  const { putBack, isPutBack } = puttingBack(steps, notices, digest);
  const open = openMembers(digest.steps);
  const reasons = new Map(notices.closing.map(({ name, text }) => [name, text]));
  const routes = members.flatMap(({ member, own, fate }) =>
    routeChangesOf(member, own, {
      why: fate === "leaves" ? "leaves the list" : reasons.get(member),
      isOpenElsewhere: open.has(member),
    }),
  );
  const failed = failure !== undefined || notices.failed;
  const losses = new Map(notices.leaving.map((one) => [one.member, possessions(one)]));
  const unreported = notices.leaving.filter((one) => !leaves.some(({ member }) => member === one.member)).map(stranded);
  return {
    ...notices,
    stack: shortName(stack),
    failed,
    // One that can't start prints nothing.
    isThere: digest.steps.length > 0 || digest.messages.length > 0,
    // Pulumi's own messages say more than the reason of the run.
    errors: notices.errors.length > 0 || failure === undefined ? notices.errors : [failure],
    access: accessChanges(steps, new Set(joins.map(({ member }) => member))),
    replacements: steps.filter((step) => step.change === "replaced" && !isMadeAnew(step)).map(objectChange),
    leaving: [
      ...leaves.map(({ member, own }) => leaverOf(member, own, losses.get(member))),
      // Pulumi handles deletions last, so a failed preview has none, and does not tell whether its state has these.
      ...(failed ? unreported : []).map(({ name, text, losesNamespace }) => ({
        ...{ member: name, type: "?", namespaceDeleted: losesNamespace, lost: text, objects: 0 },
      })),
    ],
    // On the cluster, and not in Pulumi's state.
    stranded: failed ? [] : unreported,
    deletesStranded,
    // As declared on the cluster, so that the run only records them in Pulumi's state.
    recorded,
    buckets: lostBuckets(steps, notices.buckets, { isUnfinished: failed }),
    joining: joins.map(({ member, own }) => joinerOf(member, own)),
    changing: stays.flatMap(({ member, own }) => {
      const theirs = routes.filter((route) => route.member === member);
      const differences = memberDifferences(
        own.filter((step) => !isPutBack(step)),
        theirs,
      );
      return differences.length === 0 ? [] : [{ member, differences }];
    }),
    routes,
    pending: notices.pending.toSorted((a, b) => compare(a.name, b.name)),
    // Changed by hand, and reset; the text is a note.
    putBack,
    shared: steps
      .filter(({ member, type, change }) => member === undefined && type !== accessType && change !== "replaced")
      .filter((step) => !isPutBack(step))
      .map(objectChange)
      .sort((a, b) => compare(a.object, b.object)),
  };
}

function membersIn(steps: readonly Step[]) {
  return [...Map.groupBy(steps, ({ member }) => member)]
    .flatMap(([member, own]) => (member === undefined ? [] : [{ member, own, fate: fateOf(own) }]))
    .sort((a, b) => compare(a.member, b.member));
}

function fateOf(own: readonly Step[]): "joins" | "leaves" | "stays" {
  const home = own.find(({ part, wasGone }) => part === "namespace" && !wasGone)?.change;
  if (home === "made") {
    return "joins";
  }
  const isEnded = own.some(({ change, part }) => change === "deleted" && part === "");
  return home === "deleted" || isEnded ? "leaves" : "stays";
}

/**
 * Objects that are reset: those that the program names, and those with an unchanged declaration that the run applies
 * again because a refresh has found them gone or changed. If the declaration changes too, that is reported as a change;
 * after a refresh the two look alike, so the differences appear beside the name.
 */
function puttingBack(
  steps: readonly Step[],
  { changedByHand, notKept, offline }: PreviewNotices,
  digest: Pick<Digest, "steps">,
) {
  // After a refresh, the old state is the live one, changes by hand included.
  const refreshed = digest.steps.some(({ op }) => op === "refresh");
  const named = new Set([...changedByHand, ...notKept].map(({ name }) => name));
  // An update whose only difference is the annotation of applied values. Offline, nobody knows that of the live object.
  const isAgain = (step: Step) =>
    offline.length === 0 && step.change === "changed" && !step.isKept && shownDifferences(step).length === 0;
  const others = steps.filter((step) => (step.wasGone || isAgain(step)) && !named.has(objectName(step)));
  const isNamed = (step: Step) => named.has(objectName(step)) && (refreshed || declaredAnew(step).length === 0);
  const differences = new Map(
    steps
      .filter((step) => refreshed && !step.wasGone && isNamed(step))
      .map((step) => [objectName(step), differenceLines(declaredAnew(step))]),
  );
  const putBack: NoticeLine[] = [
    ...changedByHand.map(({ name, text }) => ({ name, text: text || (differences.get(name) ?? "") })),
    ...others.map((step) => ({ name: objectName(step), text: step.wasGone ? "it is gone, and made anew" : "" })),
  ];
  const again = new Set(others);
  return { putBack, isPutBack: (step: Step) => step.wasGone || again.has(step) || isNamed(step) };
}

/** Differences between two declarations, regardless of the cluster. */
const declaredAnew = (step: Step) => shownDifferences({ ...step, paths: [] });

const stranded = (one: Finding<"leaving">) => ({
  name: one.member ?? "",
  text: possessions(one),
  losesNamespace: one.facts.home !== undefined,
  isOnTheirWay: isOnTheirWay(one),
});

function objectChange(step: Step) {
  return {
    object: objectName(step),
    change: step.change,
    // The name says enough of objects that are made or deleted.
    differences: step.change === "changed" || step.change === "replaced" ? shownDifferences(step) : [],
    ...(step.member === undefined ? {} : { member: step.member }),
  };
}
