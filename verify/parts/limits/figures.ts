import type { V1ResourceQuota, V1ResourceRequirements } from "@kubernetes/client-node";
import { quantityValue } from "../../../cluster/kinds/quantity.ts";
import type { Member } from "../../../config/member/member.ts";
import type { Settings } from "../../../config/settings.ts";
import { limitRange } from "../../../objects/limitRange.ts";
import { resourceQuota } from "../../../objects/resourceQuota.ts";

type Figures = Readonly<Record<string, string>>;

/** How live figures differ from those of the settings, as `pods is 100 instead of 50`; others may be there too. */
export const differences = (live: Figures | undefined, declared: Figures): string[] =>
  Object.entries(declared).flatMap(([name, amount]) => {
    const found = live?.[name];
    const isEqual = found !== undefined && quantityValue(found) === quantityValue(amount);
    return isEqual ? [] : [`${name} is ${found ?? "not limited"} instead of ${amount}`];
  });

/** Of a live quota: of what it asks for, and of what is in force. */
export function quotaDifferences(
  { spec, status }: Pick<V1ResourceQuota, "spec" | "status">,
  member: Member,
  settings: Settings,
): string[] {
  const { hard } = resourceQuota(member, settings).spec;
  return [...new Set([spec, status].flatMap((each) => differences(each?.hard, hard)))];
}

/** Of what a container got that states no resources. */
export function defaultDifferences(got: V1ResourceRequirements, member: Member, settings: Settings): string[] {
  const { limits } = limitRange(member, settings).spec;
  return limits.flatMap((limit) =>
    "default" in limit
      ? [
          ...differences(got.limits, limit.default).map((each) => `its limit of ${each}`),
          ...differences(got.requests, limit.defaultRequest).map((each) => `its request of ${each}`),
        ]
      : [],
  );
}
