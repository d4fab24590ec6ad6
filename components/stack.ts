import type * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import type { Run } from "../plan/decide/run.ts";
import type { Target } from "../plan/decisions/target.ts";
import { runNotices, runWarnings } from "../plan/findings/warnings.ts";
import { Drift } from "../plan/live/drift.ts";
import { endedAccess } from "../plan/members/endedAccess.ts";
import type { Plan } from "../plan/members/plan.ts";
import { adopt } from "./adopt.ts";
import { clusterAccess } from "./clusterAccess.ts";
import { beginRecorded, type EndDigest, endRecorded } from "./hooks/endRecorded.ts";
import { ignoreStandingChanges } from "./hooks/ignoredChanges.ts";
import { transferPaths } from "./hooks/pathHooks.ts";
import { podsStopped, sleepersSettled } from "./hooks/podsStopped.ts";
import { routeCheck } from "./hooks/routeCheck.ts";
import { openWaited, type WaitResult } from "./hooks/waiting.ts";
import type { MemberEnvironment, MemberEnvironmentArgs } from "./memberEnvironment.ts";
import { memberEnvironments } from "./memberEnvironments.ts";
import { clusterProvider } from "./provider/provider.ts";
import { leavingBucketFindings, stackStorage } from "./storage.ts";
import { inform, patchOrWarn, warn } from "./warn.ts";

interface Registered extends WaitResult {
  /** Dependency of the stack's outputs: resolves when pods are stopped, sleepers settled, and the end is recorded. */
  readonly stopped: pulumi.Output<void>;
  readonly drift: Drift;
  readonly environments: ReadonlyMap<string, MemberEnvironment>;
}

/** Registers a run's resources, and warns of what may surprise; docs/run/what-a-run-does.md has the same steps. */
export async function registerStack(run: Run): Promise<Registered> {
  const { plan, targeted, target } = run;
  const { settings, snapshot } = plan;
  const digests = await endOldAccess(run);
  const storage = stackStorage(settings, snapshot);
  const drift = new Drift(snapshot, targeted.members);
  const common = { provider: clusterProvider(settings), storage, drift };
  await takeOver(run);
  const { access, environments } = await makeEnvironments(run, common);
  const stopped = settlePods(run, environments);
  // The server of the buckets may take long to answer.
  await warn(await leavingBucketFindings(storage, { plan, target }));
  const opened = await openWaited(targeted, target, environments);
  const shared = [...access.resources.values(), ...(storage ? [storage.provider] : [])];
  const ended = endRecorded(digests, { settings, shared, environments, stopped });
  return { ...opened, stopped: ended, drift, environments };
}

/** Nothing that fails or takes long may come before it. Returns digests that the run's end is to write. */
async function endOldAccess(run: Run): Promise<readonly EndDigest[]> {
  ignoreStandingChanges(run.target.members, run.plan.snapshot);
  await endAccess(run.targeted, run.target);
  return await beginRecorded(run);
}

/** Pulumi deletes last, and nothing if anything in the run fails: a suspended member would keep access until then. */
export async function endAccess(plan: Plan, target: Target): Promise<void> {
  const ended = endedAccess(plan, target);
  if (pulumi.runtime.isDryRun()) {
    return;
  }
  const patches = ended.map(({ member, kept, ...binding }) => ({
    ...binding,
    what: `end access to member '${member}'s objects, in ${binding.kind} '${binding.name}'`,
    patch: { subjects: kept },
  }));
  await patchOrWarn(patches, plan.settings, "accessNotEnded");
}

async function takeOver({ plan, targeted, target, known }: Run): Promise<void> {
  const adoption = await adopt(targeted);
  await warn(runWarnings(targeted, target, { adoption, known }));
  await inform(runNotices(targeted, plan.list, target.members));
}

async function makeEnvironments(
  run: Run,
  { provider, storage, drift }: Pick<MemberEnvironmentArgs, "storage" | "drift"> & { readonly provider: k8s.Provider },
) {
  const { targeted, target, gone, pathTransfers } = run;
  const { settings } = targeted;
  const pathHooks = transferPaths(pathTransfers, settings);
  const access = await clusterAccess({ plan: targeted, drift: target.isWhole ? drift : Drift.none }, { provider });
  const check = routeCheck(target.members, settings);
  const shared = { access, storage, check, pathHooks, drift, gone };
  return { access, environments: await memberEnvironments(targeted, shared, { provider }) };
}

/** Stops pods of members who may not run any, and settles who falls asleep or wakes, once their quotas are written. */
function settlePods({ plan, target }: Run, environments: Registered["environments"]): pulumi.Output<void> {
  const { settings, snapshot } = plan;
  const quiet = podsStopped(target.members, environments, settings, snapshot);
  return sleepersSettled({ members: target.members, environments, settings, snapshot }, quiet);
}
