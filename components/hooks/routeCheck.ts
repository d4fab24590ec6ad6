import * as pulumi from "@pulumi/pulumi";
import { messageOf } from "../../cluster/api/message.ts";
import type { Member } from "../../config/model/members/member.ts";
import type { Settings } from "../../config/model/settings/settings.ts";
import { routeHookName } from "../../naming/logicalNames.ts";
import { SecondLook } from "./secondLook.ts";

/**
 * Hook that checks a member's Service right before Pulumi makes the object that opens their path. The run's first look
 * may be long ago, and a path without a Service harms others.
 * @returns undefined in a preview, which makes nothing
 * @see https://www.pulumi.com/docs/iac/concepts/resources/options/hooks/
 */
export function routeCheck(members: readonly Member[], settings: Settings): pulumi.ResourceHook | undefined {
  if (pulumi.runtime.isDryRun()) {
    return undefined;
  }
  const look = new SecondLook(settings);
  const named = new Map(members.map((member) => [member.name, member]));
  return new pulumi.ResourceHook(routeHookName, async ({ name }) => {
    const member = named.get(name.split("/")[0] ?? "");
    const readiness = member && (await look.at(member).catch((cause) => refuse(member, messageOf(cause))));
    if (member !== undefined && readiness?.state === "pending") {
      refuse(member, `${readiness.reason}, though it was there when this run began`);
    }
  });
}

function refuse({ name }: Member, why: string): never {
  throw new Error(`member '${name}': ${why}: their route is not made; the next run looks again`);
}
