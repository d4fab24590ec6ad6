import assert from "node:assert/strict";
import { budgetSum, sharesText } from "../../../config/budgets.ts";
import { unread } from "../../../config/values/maps.ts";
import { configuration, mistakes } from "../samples.ts";

const amounts = [500, 0, 2000, Number.NaN, 500].map((amount, at) => ({ name: `m${at}`, amount }));

describe("the sum of a budget's figure", () => {
  it("lists the biggest shares of a budget's sum first, and leaves out zero and unknown ones", () => {
    assert.deepEqual(budgetSum("maxCPUm", 4000, amounts), {
      figure: "maxCPUm",
      most: 4000,
      sum: 3000,
      shares: [
        { name: "m2", amount: 2000 },
        { name: "m0", amount: 500 },
        { name: "m4", amount: 500 },
      ],
    });
  });

  it("names five shares of a budget's sum, and says how many there are besides", () => {
    const shares = [...amounts, ...amounts].flatMap(({ name }, at) => (at < 7 ? [{ name, amount: 7 - at }] : []));
    assert.equal(sharesText(shares), "m0 7, m1 6, m2 5, m3 4, m4 3 and 2 more");
    assert.equal(sharesText(shares.slice(0, 5)), "m0 7, m1 6, m2 5, m3 4, m4 3");
    assert.equal(sharesText([]), "");
  });
});

const cs101 = { labels: { course: "cs101" } };
const students = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ member: `m${at}`, type: "user", labels: { course: "cs101" } }));
const wayOut = "raise the budget, lower their limits, or remove members from it";

describe("a budget", () => {
  it("takes budgets as a part of the settings, for all members unless one says for whom", () => {
    const budgets = [
      { name: "cs101", over: cs101, maxCPUm: 1000, maxMemoryMiB: 2000, storageMiB: 10_000 },
      { name: "all", maxCPUm: 5000 },
    ];
    assert.deepEqual(configuration({ budgets, members: students(2) }).settings.budgets, [
      { name: "cs101", over: cs101, most: { maxCPUm: 1000, maxMemoryMiB: 2000, storageMiB: 10_000 } },
      { name: "all", over: { labels: {} }, most: { maxCPUm: 5000 } },
    ]);
    assert.equal("budgets" in configuration({ members: [] }).settings, false);
  });

  it("accepts quotas that come to just a budget, and counts nobody without one or outside of it", () => {
    const budgets = [{ name: "cs101", over: cs101, maxCPUm: 1500, maxMemoryMiB: 1500, storageMiB: 15_000 }];
    const others = [
      { member: "ada", type: "admin", labels: { course: "cs101" } },
      { member: "ben", type: "user", labels: { course: "cs102" } },
      { member: "cyn", type: "user", quota: false, labels: { course: "cs101" } },
    ];
    assert.deepEqual(mistakes({ budgets, members: [...students(3), ...others] }), []);
  });

  it("refuses a budget in one message with all sums, who has the most, and the way out", () => {
    const budgets = [{ name: "cs101", over: cs101, maxCPUm: 6000, maxMemoryMiB: 5500, storageMiB: 1000 }];
    const ada = { member: "ada", type: "user", maxCPUm: 2000, numOfPVCs: 0, labels: { course: "cs101" } };
    assert.deepEqual(mistakes({ budgets, members: [...students(10), ada] }), [
      `budgets[0]: the quotas of 11 members exceed budget "cs101": ` +
        "maxCPUm 7000 of 6000, 1000 too much (ada 2000, m0 500, m1 500, m2 500, m3 500 and 6 more), and " +
        "storageMiB 50000 of 1000, 49000 too much (m0 5000, m1 5000, m2 5000, m3 5000, m4 5000 and 5 more); " +
        wayOut,
    ]);
  });

  describe("of devices and StorageClasses", () => {
    const memberTypes = { lab: { devices: { "nvidia.com/gpu": 1, "gpu.example.com": 2 }, storage: { fast: "20Gi" } } };
    const lab = (member: string, more: object = {}) => ({ member, type: "lab", ...more });
    const asked = (budget: object, ...members: readonly object[]) =>
      mistakes({ memberTypes, budgets: [{ name: "gpus", ...budget }], members });

    it("refuses a budget of devices and StorageClasses with who has the most of each", () => {
      const budget = { devices: { "nvidia.com/gpu": 2, "amd.com/gpu": 0 }, storage: { fast: "30Gi" } };
      const bob = lab("bob", { devices: { "nvidia.com/gpu": 4, "amd.com/gpu": 1 } });
      assert.deepEqual(asked(budget, lab("ada"), bob), [
        `budgets[0]: the quotas of 2 members exceed budget "gpus": ` +
          "devices amd.com/gpu 1 of 0, 1 too much (bob 1), and " +
          "devices nvidia.com/gpu 5 of 2, 3 too much (bob 4, ada 1), and " +
          `storage fast (MiB) 40960 of 30720, 10240 too much (ada 20480, bob 20480); ${wayOut}`,
      ]);
    });

    it("refuses a budget that bounds nothing, or has names and amounts that there can't be", () => {
      assert.deepEqual(asked({ devices: {}, storage: {} }, lab("ada")), [
        "budgets[0]: has no limit; set at least one of maxCPUm, maxMemoryMiB, storageMiB, devices, storage",
      ]);
      const wrong = { devices: { "nvidia.com/gpu": -1, "requests.x/y": 1 }, storage: { fast: "20GB", Bulk: "1Gi" } };
      assert.deepEqual(asked({ ...wrong, maxMemoryMiB: 499 }, lab("ada")), [
        `budgets[0]: the quota of a member exceeds budget "gpus": maxMemoryMiB 500 of 499, 1 too much (ada 500); ${wayOut}`,
        "budgets[0].devices.nvidia.com/gpu: -1 must be at least 0",
        `budgets[0].devices.requests.x/y: "requests.x/y" can't be a device: name an extended resource such as nvidia.com/gpu, or a DeviceClass such as gpu.nvidia.com`,
        `budgets[0].storage.fast: "20GB" must be a size such as 20Gi, in Mi, Gi or Ti and below 1000Ti, or 0 for none`,
        `budgets[0].storage.Bulk: "Bulk" must be a name in lower case`,
      ]);
      assert.deepEqual(asked({ devices: { "nvidia.com/gpu": unread } }, lab("ada")), []);
    });
  });

  it("tells of each budget that is exceeded, by one member alone or suspended ones as well", () => {
    const budgets = [
      { name: "all", maxMemoryMiB: 499 },
      { name: "guests", over: { types: ["guest-user"] }, maxMemoryMiB: 1 },
      { name: "m0", over: { members: ["m0"] }, maxCPUm: 499 },
    ];
    const [m0] = students(1);
    assert.deepEqual(mistakes({ budgets, members: [{ ...m0, suspended: true }] }), [
      `budgets[0]: the quota of a member exceeds budget "all": maxMemoryMiB 500 of 499, 1 too much (m0 500); ${wayOut}`,
      `budgets[2]: the quota of a member exceeds budget "m0": maxCPUm 500 of 499, 1 too much (m0 500); ${wayOut}`,
    ]);
  });

  it("refuses a budget with another's name, without a figure, or over types and members unknown", () => {
    const budgets = [
      { name: "cs101", maxCPUm: 5000 },
      { name: "cs101", over: { types: ["usr"], members: ["m9"] }, maxCPUm: 1 },
      { name: "none", over: cs101 },
    ];
    assert.deepEqual(mistakes({ budgets, members: students(1) }), [
      `budgets[1].name: "cs101" is the name of budgets[0] already; names must differ`,
      `budgets[1].over.types[0]: "usr" is no member type; did you mean 'user'?`,
      `budgets[1].over.members[0]: "m9" is no member of the list; did you mean 'm0'?`,
      "budgets[2]: has no limit; set at least one of maxCPUm, maxMemoryMiB, storageMiB, devices, storage",
    ]);
  });

  it("holds members to what is right of a budget with a mistake, and makes up nothing", () => {
    const budgets = [
      { name: "cs101", maxCPUm: "many", maxMemoryMiB: 499 },
      { name: "cs102", over: { labels: { course: 101 } }, maxCPUm: 1 },
      { name: "Cs 103", storageMiB: 0.5 },
      7,
      { name: "cs104", over: { label: { course: "cs101" } }, maxCpum: 1, maxMemoryMiB: 1 },
    ];
    assert.deepEqual(mistakes({ budgets, members: students(1) }), [
      `budgets[0]: the quota of a member exceeds budget "cs101": maxMemoryMiB 500 of 499, 1 too much (m0 500); ${wayOut}`,
      `budgets[0].maxCPUm: "many" must be a number of thousandths of a CPU`,
      "budgets[1].over.labels.course: 101 must be a text",
      `budgets[2].name: "Cs 103" must be a DNS label: a-z, 0-9 and '-', at most 63 characters`,
      "budgets[2].storageMiB: 0.5 must be a whole number of MiB",
      "budgets[3]: 7 must be a budget: a name, and at least one of maxCPUm, maxMemoryMiB, storageMiB, devices and storage",
      "budgets[4].over.label: is no setting here; did you mean 'labels'?",
      "budgets[4].maxCpum: is no setting here; did you mean 'maxCPUm'?",
    ]);
  });

  it("counts what is known of a budget's members, and names those without a name by their place", () => {
    const budgets = [{ name: "all", maxCPUm: 999, maxMemoryMiB: 2000 }];
    const members = [...students(2), { type: "user", maxCPUm: 10 }, { member: "bob", type: "user", maxCPUm: "many" }];
    assert.deepEqual(mistakes({ budgets, members }), [
      `budgets[0]: the quotas of 4 members exceed budget "all": maxCPUm 1010 of 999, 11 too much (m0 500, m1 500, members[2] 10); ${wayOut}`,
      "members[2].member: is missing: must be a text",
      "members[2].maxCPUm: 10 is below defaultCPUm (100), so that no container would fit",
      `members[3].maxCPUm: "many" must be a number of thousandths of a CPU (member 'bob')`,
    ]);
  });

  it("holds nobody to a budget whose selector can't be read", () => {
    const budgets = [{ name: "cs101", over: unread, maxCPUm: 1 }, unread];
    assert.deepEqual(mistakes({ budgets, members: students(1) }), []);
  });
});
