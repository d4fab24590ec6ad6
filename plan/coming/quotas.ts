import type { V1ResourceQuota } from "@kubernetes/client-node";
import { quantityValue } from "../../cluster/kinds/quantity.ts";
import type { Member } from "../../config/member/member.ts";
import { quotaKey } from "../decisions/quotaHeadroom.ts";
import { refusedOf } from "../findings/shrinking.ts";
import { percentOf } from "../messages/coming/noticeWords.ts";
import type { ComingRow, Expected, Look } from "./row.ts";

/** Percent below the threshold from which it is told anew: use that goes up and down around it is told once. */
const hysteresis = 10;
/** Fewest objects of a quota to tell: of fewer, one more fills it, and many are meant to be full. */
const leastCount = 10;

/** Resources of quotas that are in use. Suspended members' quotas are closed on purpose. */
export const quotas: ComingRow<"quotaNearlyFull"> = {
  isForAdmins: true,
  of: (look) => look.members.filter(({ standing }) => standing === "active").flatMap((member) => usesOf(member, look)),
};

function usesOf({ name }: Member, { settings, snapshot }: Look): Expected<"quotaNearlyFull">[] {
  const object = quotaKey({ name });
  const quota = snapshot.managedObjects.get(object)?.content as Pick<V1ResourceQuota, "status"> | undefined;
  const { hard: limits = {}, used: uses = {} } = quota?.status ?? {};
  const { quotaPercent } = settings.notify;
  return Object.entries(limits).flatMap(([resource, hard]): Expected<"quotaNearlyFull">[] => {
    const used = uses[resource] ?? "0";
    const [most = 0, now = 0] = [quantityValue(hard), quantityValue(used)];
    const refused = refusedOf(resource);
    if (refused === undefined || most <= 0 || now <= 0) {
      return [];
    }
    const ratio = now / most;
    const percent = percentOf(ratio);
    const isTold = percent >= quotaPercent && (isAmount(resource) || most >= leastCount);
    return [
      {
        member: name,
        object,
        facts: { resource, used, hard, ratio, refused },
        about: resource,
        step: isTold ? 100 - quotaPercent : undefined,
        isForgotten: percent < quotaPercent - hysteresis,
      },
    ];
  });
}

/** Whether a resource is an amount, such as of memory, rather than a number of objects. */
const isAmount = (resource: string) =>
  /^(limits|requests)\.(cpu|memory|storage|ephemeral-storage)$|\/requests\.storage$/.test(resource);
