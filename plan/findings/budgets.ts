import type { V1ResourceQuota } from "@kubernetes/client-node";
import { quantityValue } from "../../cluster/kinds/quantity.ts";
import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import {
  type Budget,
  type BudgetFigure,
  type BudgetSum,
  budgetSum,
  deviceOf,
  quotaSum,
  storageClassOf,
} from "../../config/budgets.ts";
import { type Member, mayRun } from "../../config/member/member.ts";
import type { Settings } from "../../config/settings.ts";
import { isSelected } from "../../config/values/selector.ts";
import { deviceResource, storageResource } from "../../objects/quotaClasses.ts";
import { quotaKey } from "../decisions/quotaHeadroom.ts";
import type { Finding } from "../words/finding.ts";
import { refusedOf } from "./quotas.ts";

const mebibyte = 1024 ** 2;

const resources = {
  maxCPUm: { resource: "limits.cpu", unit: 0.001 },
  maxMemoryMiB: { resource: "limits.memory", unit: mebibyte },
  storageMiB: { resource: "requests.storage", unit: mebibyte },
} as const;

function resourceOf(figure: BudgetFigure): { readonly resource: string; readonly unit: number } {
  const [device, storageClass] = [deviceOf(figure), storageClassOf(figure)];
  if (device !== undefined) {
    return { resource: deviceResource(device), unit: 1 };
  }
  return storageClass === undefined
    ? resources[figure as keyof typeof resources]
    : { resource: storageResource(storageClass), unit: mebibyte };
}

/** What the quotas add up to, and what is left. @param list also other shards' members */
export const budgetsTold = (list: readonly Member[], { budgets = [] }: Pick<Settings, "budgets">): Finding[] =>
  budgets.map((budget) => {
    const all = list.filter((member) => isSelected(member, budget.over));
    const members = all.filter(({ type }) => type.quota);
    const sums = boundsOf(budget).map(([figure, most]) => quotaSum(figure, most, members));
    const facts = { budget: budget.name, members: members.length, unbound: all.length - members.length, sums };
    return { code: "budgets", facts };
  });

/** Below what their members use now, since quotas were lowered. @param list also other shards' members */
export const exceededBudgets = (
  list: readonly Member[],
  { budgets = [] }: Pick<Settings, "budgets">,
  snapshot: Pick<ClusterSnapshot, "managedObjects">,
): Finding[] =>
  budgets.flatMap((budget) => {
    const members = list.filter((member) => member.type.quota && isSelected(member, budget.over));
    return boundsOf(budget).flatMap(([figure, most]): Finding[] => {
      const refused = refusedOf(resourceOf(figure).resource) ?? "objects";
      // The run stops the pods of the others.
      const users = refused === "pods" ? members.filter(mayRun) : members;
      const uses = users.map((member) => ({ name: member.name, amount: usedOf(member, figure, snapshot) }));
      const used: BudgetSum = budgetSum(figure, most, uses);
      return used.sum > most ? [{ code: "budgetExceeded", facts: { budget: budget.name, used, refused } }] : [];
    });
  });

const boundsOf = ({ most }: Budget) => Object.entries(most) as [BudgetFigure, number][];

function usedOf(
  member: Member,
  figure: BudgetFigure,
  { managedObjects }: Pick<ClusterSnapshot, "managedObjects">,
): number {
  const { resource, unit } = resourceOf(figure);
  const content = managedObjects.get(quotaKey(member))?.content as Pick<V1ResourceQuota, "status"> | undefined;
  return Math.round((quantityValue(content?.status?.used?.[resource] ?? "") ?? Number.NaN) / unit);
}
