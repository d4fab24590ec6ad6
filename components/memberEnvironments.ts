import * as pulumi from "@pulumi/pulumi";
import { Semaphore } from "../cluster/inParallel.ts";
import type { ClusterSnapshot } from "../cluster/read/snapshot.ts";
import { isEnding } from "../plan/live/ending.ts";
import { additionsToMembers } from "../plan/members/additions.ts";
import type { Planned } from "../plan/members/plan.ts";
import type { PathHooks } from "./hooks/pathHooks.ts";
import { MemberEnvironment, type MemberEnvironmentArgs } from "./memberEnvironment.ts";
import { patchOrWarn } from "./warn.ts";

/** A resource that waits takes the SDK a hundred times its memory, and Pulumi works on some tens at once anyway. */
const atOnce = 64;

interface SharedArgs extends Pick<MemberEnvironmentArgs, "access" | "storage" | "check" | "drift" | "gone"> {
  readonly pathHooks?: PathHooks;
}

/** Some at a time, once additions by hand are off them. Resolves when the last is registered. */
export async function memberEnvironments(
  { members, settings, snapshot }: Planned<ClusterSnapshot>,
  { pathHooks, ...shared }: SharedArgs,
  opts: pulumi.ComponentResourceOptions,
): Promise<ReadonlyMap<string, MemberEnvironment>> {
  const standing = members.filter(({ member }) => !isEnding(member, snapshot));
  // Before the provider applies objects; a preview removes nothing.
  await patchOrWarn(pulumi.runtime.isDryRun() ? [] : additionsToMembers(standing), settings);
  const semaphore = new Semaphore(atOnce);
  const environments = new Map<string, MemberEnvironment>();
  for (const plan of members) {
    const { name } = plan.member;
    await semaphore.take();
    const environment = new MemberEnvironment(name, { ...shared, plan, pathHook: pathHooks?.get(name) }, opts);
    environment.settled.apply(() => semaphore.give());
    environments.set(name, environment);
  }
  return environments;
}
