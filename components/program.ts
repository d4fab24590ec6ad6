import * as pulumi from "@pulumi/pulumi";
import { reportProgress } from "../cluster/api/progress.ts";
import { keptHomesOf, readKeptHomes } from "../cluster/read/keptHomes.ts";
import type { KeptHome } from "../config/member/leavers.ts";
import type { Settings } from "../config/settings.ts";
import { loadConfiguration } from "../config/sources/engineConfiguration.ts";
import { isOffline } from "../config/sources/offline.ts";
import type { Run } from "../plan/decide/run.ts";
import { type MemberStatus, pendingIn, pendingRoutes, statusesOf } from "../plan/findings/status.ts";
import { givenRun, registering } from "./givenRun.ts";
import { inspectCluster, refuse } from "./inspect.ts";
import { ownState } from "./lastState.ts";
import { MemberEnvironment as Registered } from "./memberEnvironment.ts";
import { registerStack } from "./stack.ts";
import { warn } from "./warn.ts";

/** A stack whose resources are registered. */
export interface Stack {
  /** Each member's namespace, state, and URL or reason: the stack's output `members`. */
  readonly members: pulumi.Output<Readonly<Record<string, MemberStatus>>>;
  /** Members whose path is not open yet: the stack's output `pending`. */
  readonly pending: readonly string[];
  /** By member name. A run that is aimed at some members has those alone. */
  readonly environments: ReadonlyMap<string, MemberEnvironment>;
}

/** Only `stack` makes them, after it has checked who owns what is on the cluster. */
export type MemberEnvironment = Registered;
export const MemberEnvironment: { readonly [Symbol.hasInstance]: (value: unknown) => value is MemberEnvironment } = {
  [Symbol.hasInstance]: (value): value is MemberEnvironment => value instanceof Registered,
};

/**
 * Registers the environments of the members that a command's run is for; under a plain `pulumi up`, of all members in the
 * stack's configuration. A program calls it once.
 * @throws RunError naming every mistake and every refusal; nothing was changed by then
 * @example
 * import { stack } from "kubecamp";
 *
 * const { members, pending, environments } = await stack();
 */
export async function stack(): Promise<Stack> {
  // Pulumi takes a program that does not wait for it for ended, and would delete what it has not registered yet.
  const done = pulumi.runtime.rpcKeepAlive();
  try {
    return await registering(registerRun);
  } finally {
    done();
  }
}

async function registerRun(inspected: Run | undefined): Promise<Stack> {
  const run = inspected ?? (await ownRun());
  const { stopped, drift, outcomes, late, ...registered } = await registerStack(run);
  const environments = new Map(registered.environments);
  // The project's module stays in memory, and would keep what this run has registered.
  givenRun()?.ended.addEventListener("abort", () => environments.clear());
  const statuses = statusesOf(run.plan, run.target, outcomes);
  await warn([...drift.findings, ...pendingRoutes(run.target.members, statuses, late)]);
  return {
    members: stopped.apply(() => statuses),
    pending: pendingIn(statuses),
    environments,
  };
}

async function ownRun(): Promise<Run> {
  const run = await inspectCluster(await loadConfiguration(keptHomes));
  refuse(run);
  return run;
}

/** From the cluster, or for an offline preview from Pulumi's state. @throws RunError when the cluster can't be read */
async function keptHomes(settings: Settings): Promise<readonly KeptHome[]> {
  if (!isOffline(process.env, { isPreview: pulumi.runtime.isDryRun() })) {
    return await readKeptHomes(settings, { notify: reportProgress });
  }
  const objects = (await ownState())?.content ?? [];
  const ofKind = (kind: string) => objects.filter((object) => object.kind === kind);
  return keptHomesOf(ofKind("Namespace"), ofKind("Role"), settings);
}
