import assert from "node:assert/strict";
import { budgetsTold, exceededBudgets } from "../../../../plan/findings/budgets.ts";
import { managedObject } from "../../cluster/leaving.ts";
import { configuration } from "../../samples.ts";
import { textOf } from "../planned.ts";

const over = { labels: { course: "cs101" } };
const labels = { course: "cs101" };
const budget = { name: "cs101", over, maxCPUm: 20_000, maxMemoryMiB: 20_000, storageMiB: 100_000 };
const ada = { member: "ada", type: "user", maxCPUm: 2000, labels };
const bob = { member: "bob", type: "user", labels };
const kit = { member: "kit", type: "admin", labels };
const eve = { member: "eve", type: "user" };

const told = (budgets: readonly object[], ...members: readonly object[]) => {
  const { settings, members: list } = configuration({ budgets, members });
  return budgetsTold(list, settings);
};

describe("budgets", () => {
  it("tells of budgets with what the quotas add up to, what is left, and who has the most", () => {
    assert.equal(
      textOf(told([budget, { name: "all", maxCPUm: 4000 }], bob, ada, eve)),
      "Budgets, and what is left of them:\n" +
        "  cs101: 2 members; maxCPUm 2500 of 20000, 17500 left (ada 2000, bob 500); " +
        "maxMemoryMiB 1000 of 20000, 19000 left (bob 500, ada 500); " +
        "storageMiB 10000 of 100000, 90000 left (bob 5000, ada 5000)\n" +
        "  all: 3 members; maxCPUm 3000 of 4000, 1000 left (ada 2000, bob 500, eve 500)",
    );
    assert.deepEqual(told([], bob), []);
  });

  it("tells of budgets of devices and StorageClasses with whose quotas count them", () => {
    const name = "gpus";
    const [ann, ben] = [
      { member: "ann", type: "user", devices: { "nvidia.com/gpu": 2 }, storage: { fast: "20Gi" } },
      { member: "ben", type: "user", devices: { "amd.com/gpu": 1 }, storage: { fast: "1Gi" } },
    ];
    const budgets = [{ name, devices: { "nvidia.com/gpu": 8 }, storage: { fast: "30Gi" } }];
    assert.equal(
      textOf(told(budgets, ann, ben, bob, eve)),
      "Budgets, and what is left of them:\n" +
        "  gpus: 4 members; devices nvidia.com/gpu 2 of 8, 6 left (ann 2; 2 without a quota of it don't count); " +
        "storage fast (MiB) 21504 of 30720, 9216 left (ann 20480, ben 1024; 2 without a quota of it don't count)",
    );
  });

  it("tells of budgets with how many of their members have no quota", () => {
    const { name } = budget;
    assert.equal(
      textOf(told([{ name, over, maxCPUm: 500 }], bob, kit)),
      "Budgets, and what is left of them:\n" +
        "  cs101: 1 member (1 without a quota doesn't count); maxCPUm 500 of 500, 0 left (bob 500)",
    );
  });
});

describe("a budget below what is used", () => {
  const reported = (
    budgets: readonly object[],
    members: readonly object[],
    quotas: Readonly<Record<string, Record<string, string>>>,
  ) => {
    const { settings, members: list } = configuration({ budgets, members });
    const objects = Object.entries(quotas).map(
      ([name, used]) => [`ResourceQuota ${name}/quota`, managedObject(name, { status: { used } })] as const,
    );
    const managedObjects = new Map(objects);
    return textOf(exceededBudgets(list, settings, { managedObjects }));
  };

  it("warns of a budget below what is used with both numbers, and who uses the most", () => {
    const small = { name: "cs101", over, maxCPUm: 1000, maxMemoryMiB: 1000, storageMiB: 10_000 };
    const quotas = {
      ada: { "limits.cpu": "400m", "limits.memory": "900Mi", "requests.storage": "2Gi" },
      bob: { "limits.cpu": "0.7", "limits.memory": "105Mi", "requests.storage": "9Gi" },
      eve: { "limits.cpu": "40", "limits.memory": "40Gi", "requests.storage": "40Gi" },
    };
    assert.equal(
      reported([small], [{ ...ada, maxCPUm: 500 }, bob, eve], quotas),
      [
        "budget 'cs101': maxCPUm 1000 is below what its members use now, 1100 (bob 700, ada 400); what runs goes on, and full quotas refuse new pods",
        "budget 'cs101': maxMemoryMiB 1000 is below what its members use now, 1005 (ada 900, bob 105); what runs goes on, and full quotas refuse new pods",
        "budget 'cs101': storageMiB 10000 is below what its members use now, 11264 (bob 9216, ada 2048); what runs goes on, and full quotas refuse new PersistentVolumeClaims",
      ].join("\n"),
    );
  });

  it("warns of no budget where all of it is used, nothing was counted, or nobody has a quota", () => {
    const small = [{ name: "cs101", over, maxCPUm: 1000 }];
    const one = { ...ada, maxCPUm: 500 };
    const quotas = { ada: { "limits.cpu": "300m" }, bob: { "limits.cpu": "700m" }, kit: { "limits.cpu": "9" } };
    assert.equal(reported(small, [one, bob, kit], quotas), undefined);
    assert.equal(reported(small, [one, bob], { ada: { "limits.cpu": "300m" }, bob: {} }), undefined);
    assert.equal(reported(small, [{ ...one, quota: false }], { ada: { "limits.cpu": "3" } }), undefined);
  });
});
