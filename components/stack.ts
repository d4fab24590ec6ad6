import * as pulumi from "@pulumi/pulumi";
import { runtime } from "@pulumi/pulumi";
import {
  type ClusterSnapshot,
  keyOf,
  liveOf,
  type ObjectName,
  type OwnedObject,
} from "../cluster/read/snapshot/snapshot.ts";
import { keepMarks } from "../cluster/write/keepMarks.ts";
import { patchEach } from "../cluster/write/patchEach.ts";
import type { Settings } from "../config/model/settings/settings.ts";
import { unseenAnnotation } from "../naming/labels.ts";
import { lookOf, nearOf } from "../plan/coming/coming.ts";
import { Drift } from "../plan/compare/drift.ts";
import { bucketDigest, digestOn } from "../plan/decide/unseen.ts";
import { budgetsTold } from "../plan/findings/budgets.ts";
import { slowCheckpoints } from "../plan/findings/checkpoints.ts";
import { sleepTold } from "../plan/findings/sleep.ts";
import { runWarnings } from "../plan/findings/warnings.ts";
import { isRead } from "../plan/manifest/manifest.ts";
import { marksToKeep } from "../plan/membership/adoption/keptMarks.ts";
import { givenOwners, ownedByOthers } from "../plan/membership/adoption/owners.ts";
import { takeovers } from "../plan/membership/adoption/takeover.ts";
import { idleAdoption, unmanaged } from "../plan/membership/adoption/unmanagedObjects.ts";
import { isEnding } from "../plan/membership/ending.ts";
import type { Finding } from "../plan/messages/finding.ts";
import { type Planned, planFor } from "../plan/plan.ts";
import type { Run } from "../plan/run.ts";
import { clusterAccess } from "./clusterAccess.ts";
import { givenRun } from "./givenRun.ts";
import { endAccess } from "./hooks/accessEnded.ts";
import { ignoreStandingChanges } from "./hooks/ignoredChanges.ts";
import { transferPaths } from "./hooks/pathHooks.ts";
import { podsStopped, sleepersSettled } from "./hooks/podsStopped.ts";
import { routeCheck } from "./hooks/routeCheck.ts";
import { openWaited, type WaitResult } from "./hooks/waiting.ts";
import type { MemberEnvironment } from "./memberEnvironment.ts";
import { memberEnvironments } from "./memberEnvironments.ts";
import { clusterProvider } from "./provider/provider.ts";
import { stackDigest } from "./provider/providerArgs.ts";
import { leavingBucketFindings, stackStorage } from "./storage.ts";
import { inform, warn } from "./warn.ts";

/** Result of registering a stack. */
interface Registered extends WaitResult {
  /** Dependency of the stack's outputs: resolves when pods are stopped, sleepers settled, and the end is recorded. */
  readonly stopped: pulumi.Output<void>;
  /** Changes by hand that this run resets. */
  readonly drift: Drift;
  /** By member name. */
  readonly environments: ReadonlyMap<string, MemberEnvironment>;
}

/** Registers all of a run's resources with Pulumi, and warns of effects that may surprise. */
export async function registerStack(run: Run): Promise<Registered> {
  const { plan, targeted, target, gone, pathTransfers, known } = run;
  const { settings, snapshot } = plan;
  ignoreStandingChanges(target.members, snapshot);
  // First of all that a run writes: nothing that fails or takes long may come before it.
  await endAccess(targeted, target);
  const provider = clusterProvider(settings);
  const storage = stackStorage(settings, snapshot);
  const adoption = await adopt(targeted);
  const drift = new Drift(snapshot, targeted.members);
  await warn([
    ...(givenRun() === undefined && writesCheckpoints() ? slowCheckpoints(plan, targeted) : []),
    ...runWarnings(targeted, target, { adoption, known }),
  ]);
  await inform([
    ...budgetsTold(plan.list, settings),
    ...nearOf(lookOf(targeted), "quotaNearlyFull"),
    ...sleepTold(target.members),
    ...nearOf(lookOf(targeted), "sleepsSoon"),
  ]);

  const pathHooks = transferPaths(pathTransfers, settings);
  const access = await clusterAccess(
    { settings, mutates: snapshot.mutates, drift: target.isWhole ? drift : Drift.none },
    { provider },
  );
  const check = routeCheck(target.members, settings);
  const environments = await memberEnvironments(
    targeted,
    { access, storage, check, pathHooks, drift, gone },
    { provider },
  );
  const quiet = podsStopped(target.members, environments, settings, snapshot);
  const settled = sleepersSettled(target.members, environments, quiet, settings, snapshot);
  // After that, since the server may take long to answer.
  await warn(await leavingBucketFindings(storage, { plan, target }));
  const opened = await openWaited(targeted, target, environments);
  return { ...opened, stopped: endRecorded(run, environments, settled), drift, environments };
}

/**
 * Whether Pulumi writes the whole state before and after each object. Its DIY backends (a folder or a bucket) do,
 * unless the environment turns that off; Pulumi Cloud keeps a journal.
 * @see https://www.pulumi.com/docs/iac/cli/environment-variables/
 */
const writesCheckpoints = (env: NodeJS.ProcessEnv = process.env): boolean =>
  // Pulumi's name for the organization in a backend that has none.
  pulumi.getOrganization() === "organization" &&
  !["1", "true"].includes((env.PULUMI_SKIP_CHECKPOINTS ?? "").toLowerCase());

/**
 * Keeps others' labels and annotations on the objects that the run changes, removes owner references to foreign owners from
 * all that it declares, so that they aren't deleted with them, and returns findings on what is taken over and what isn't. A
 * preview removes nothing. The provider itself takes objects over, one by one.
 */
export async function adopt(plan: Planned<ClusterSnapshot>): Promise<Finding[]> {
  const { settings, snapshot } = plan;
  // An object in a namespace that is being deleted needs no protection from its owner.
  const standing = planFor(plan, (member) => !isEnding(member, snapshot));
  const owned = ownedByOthers(standing);
  const isPreview = runtime.isDryRun();
  const unkept = isPreview ? [] : await keepMarks(marksToKeep(standing), settings);
  const owning = isPreview ? [] : await takeOffOwners(owned, settings);
  return [
    ...takeovers(plan),
    ...givenOwners(owned.filter((each) => owning.every(({ object }) => object !== keyOf(each)))),
    ...owning,
    ...unkept.map(({ why, ...object }) => ({ code: "notTakenOff", object: keyOf(object), facts: { why } }) as const),
    ...unmanaged(plan),
    ...idleAdoption(plan),
  ];
}

/**
 * Removes owner references before the provider writes to these objects: from then on neither the end of the owner nor a
 * failed or killed run can delete them. The next run removes those that are left: one that stays is that object's trouble,
 * and stops nobody's run.
 * @returns a finding for each object that keeps its owner
 */
export async function takeOffOwners(
  owned: readonly OwnedObject[],
  settings: Pick<Settings, "cluster">,
): Promise<Finding<"notTakenOff">[]> {
  const patches = owned.map((object) => ({
    ...object,
    what: `take the owner references off ${keyOf(object)}, which is deleted with its owner,`,
    // The UID can't change, so the API server refuses the patch for another object of this name.
    patch: { metadata: { uid: object.uid, ownerReferences: null } },
  }));
  const refused = await patchEach(patches, settings);
  return refused.map(({ why, ...object }) => ({ code: "notTakenOff", object: keyOf(object), facts: { why } }));
}

/**
 * Writes digests of what no object shows, once a run has come to its end: a member's on their namespace, and that of the whole
 * stack, in a run for everyone, on its first ClusterRole. Another digest, or none, makes the next run necessary. A preview
 * writes none.
 * @returns an output that the stack's own outputs must depend on, so that Pulumi waits
 */
function endRecorded(
  { targeted, target }: Run,
  environments: ReadonlyMap<string, Pick<MemberEnvironment, "made">>,
  stopped: pulumi.Output<void>,
): pulumi.Output<void> {
  const { settings, snapshot, members, shared } = targeted;
  const record = (object: ObjectName, digest: string | undefined, made: pulumi.Output<unknown>[]) => {
    const live = liveOf(object, snapshot);
    if (pulumi.runtime.isDryRun() || (live === undefined ? undefined : digestOn(live)) === digest) {
      return [];
    }
    const write = async () => {
      const patch = { metadata: { annotations: { [unseenAnnotation]: digest ?? null } } };
      const what = `note on ${keyOf(object)} what this run has brought about`;
      const refused = await patchEach([{ ...object, what, patch }], settings);
      await warn(refused.map(({ why, ...one }) => ({ code: "notTakenOff", object: keyOf(one), facts: { why } })));
    };
    // One that has failed says so itself.
    return [pulumi.recover(pulumi.all(made).apply(write), () => undefined)];
  };
  const ofMembers = members.flatMap((plan) => {
    const home = plan.objects.filter(isRead).find(({ part }) => part === "namespace");
    const environment = environments.get(plan.member.name);
    return home && environment ? record(home, bucketDigest(plan), environment.made) : [];
  });
  const carrier = target.isWhole ? shared.find(isRead) : undefined;
  const all = [...environments.values()].flatMap(({ made }) => made);
  const ofStack = carrier ? record(carrier, stackDigest(settings, snapshot.id), all) : [];
  return pulumi.all([stopped, ...ofMembers, ...ofStack]).apply(() => undefined);
}
