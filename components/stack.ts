import type * as pulumi from "@pulumi/pulumi";
import type { Run } from "../plan/decide/run.ts";
import { budgetsTold } from "../plan/findings/budgets.ts";
import { sleepTold } from "../plan/findings/closing.ts";
import { lookOf, nearOf } from "../plan/findings/coming.ts";
import { runWarnings } from "../plan/findings/warnings.ts";
import { Drift } from "../plan/live/drift.ts";
import { adopt } from "./adopt.ts";
import { clusterAccess } from "./clusterAccess.ts";
import { endAccess } from "./hooks/accessEnded.ts";
import { beginRecorded, endRecorded } from "./hooks/endRecorded.ts";
import { ignoreStandingChanges } from "./hooks/ignoredChanges.ts";
import { transferPaths } from "./hooks/pathHooks.ts";
import { podsStopped, sleepersSettled } from "./hooks/podsStopped.ts";
import { routeCheck } from "./hooks/routeCheck.ts";
import { openWaited, type WaitResult } from "./hooks/waiting.ts";
import type { MemberEnvironment } from "./memberEnvironment.ts";
import { memberEnvironments } from "./memberEnvironments.ts";
import { clusterProvider } from "./provider/provider.ts";
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
  const digests = await beginRecorded(run);
  const provider = clusterProvider(settings);
  const storage = stackStorage(settings, snapshot);
  const adoption = await adopt(targeted);
  const drift = new Drift(snapshot, targeted.members);
  await warn(runWarnings(targeted, target, { adoption, known }));
  await inform([
    ...budgetsTold(plan.list, settings),
    ...nearOf(lookOf(targeted), "quotaNearlyFull"),
    ...sleepTold(target.members),
    ...nearOf(lookOf(targeted), "sleepsSoon"),
  ]);

  const pathHooks = transferPaths(pathTransfers, settings);
  const access = await clusterAccess({ plan: targeted, drift: target.isWhole ? drift : Drift.none }, { provider });
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
  const shared = [...access.resources.values(), ...(storage ? [storage.provider] : [])];
  return { ...opened, stopped: endRecorded(digests, settings, shared, environments, settled), drift, environments };
}
