import type * as pulumi from "@pulumi/pulumi";
import { managedServiceOf } from "../cluster/managedService.ts";
import { isOpening, readinessOf } from "../cluster/readiness.ts";
import type { ClusterSnapshot } from "../cluster/snapshot.ts";
import { starterPlan } from "../cluster/starter/plan.ts";
import type { Member } from "../config/settings.ts";
import { MemberEnvironment, type MemberEnvironmentArgs } from "./memberEnvironment.ts";
import { takeOffStarterAdditions } from "./starterAdditions.ts";
import { Turns } from "./turns.ts";

/** What all environments are made from. */
export interface SharedArgs extends Pick<MemberEnvironmentArgs, "settings" | "access" | "drift"> {
  readonly snapshot: ClusterSnapshot;
}

/**
 * The environments of members, by name; the path of each is open if the live cluster lets it be. They are made once what
 * somebody has added to starter apps by hand is off them.
 */
export async function memberEnvironments(
  members: readonly Member[],
  { snapshot, ...shared }: SharedArgs,
  opts: pulumi.ComponentResourceOptions,
): Promise<ReadonlyMap<string, MemberEnvironment>> {
  await takeOffStarterAdditions(members, shared.settings, snapshot, shared.drift);
  const turns = new Turns();
  return new Map(
    members.map((member) => {
      const plan = managedServiceOf(member, shared.settings, snapshot);
      const args = {
        ...shared,
        member,
        routed: isOpening(readinessOf(member, shared.settings, snapshot)),
        service: plan !== undefined && "service" in plan ? plan.service : undefined,
        starter: starterPlan(member, shared.settings, snapshot),
      };
      // All that is in it is registered after it.
      const dependsOn = turns.take().then((): pulumi.Resource[] => []);
      const environment = new MemberEnvironment(member.name, args, { ...opts, dependsOn });
      environment.settled.apply(() => turns.give());
      return [member.name, environment];
    }),
  );
}
