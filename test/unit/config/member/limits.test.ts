import assert from "node:assert/strict";
import { mistakes, mistakesOfMembers } from "../../samples.ts";

const users = (count: number) => Array.from({ length: count }, (_, at) => ({ member: `m${at}`, type: "user" }));

describe("limits that contradict each other", () => {
  const fits = "so that no container would fit";
  for (const [entry, mistake] of [
    [{ defaultCPUm: 600 }, "defaultCPUm: 600 is above maxCPUm (500)"],
    [{ maxMemoryMiB: 64, defaultMemoryMB: 65 }, "maxMemoryMiB: 64 is below defaultMemoryMB (65)"],
  ] as const) {
    it(`tells of limits that contradict each other: ${JSON.stringify(entry)}`, () => {
      const lines = mistakesOfMembers({ member: "bob", type: "user", ...entry });
      assert.deepEqual(lines, [`members[0].${mistake}, ${fits} (member 'bob')`]);
    });
  }

  it("tells of contradicting defaults once, not of every member", () => {
    assert.deepEqual(
      mistakes({
        defaults: { defaultCPUm: 600, defaultMemoryMiB: 2 },
        memberTypes: { student: { defaults: { maxMemoryMiB: 1 } }, guest: { quota: false, defaults: { maxCPUm: 1 } } },
        members: [...users(2), { member: "dora", type: "student" }, { member: "erin", type: "guest" }],
      }),
      [
        `defaults.defaultCPUm: 600 is above maxCPUm (500), ${fits}`,
        `memberTypes.student.defaults.maxMemoryMiB: 1 is below defaultMemoryMiB (2), ${fits}`,
      ],
    );
  });

  it("judges limits against a quota, which a member can have beside their type", () => {
    const memberTypes = { admin: { defaults: { maxCPUm: 50 } } };
    const members = [
      { member: "alice", type: "admin" },
      { member: "ali", type: "admin", quota: true },
      { member: "bob", type: "user", maxCPUm: 50, quota: false },
    ];
    assert.deepEqual(mistakes({ memberTypes, members }), [
      "members[1].quota: makes maxCPUm (50) count, which is below defaultCPUm (100), so that no container would fit (member 'ali')",
    ]);
  });

  it("makes up no contradiction from a figure that is wrong itself", () => {
    const members = [
      { member: "bob", type: "user", defaultCPUm: 1000 },
      { member: "dora", type: "user", maxMemoryMiB: "1Gi", defaultMemoryMiB: 900, defaultMemoryMB: 0.5 },
    ];
    assert.deepEqual(mistakes({ defaults: { maxCPUm: -1 }, members }), [
      "defaults.maxCPUm: -1 must be at least 1",
      "members[1].maxMemoryMiB: \"1Gi\" must be a number of MiB (member 'dora')",
      "members[1].defaultMemoryMB: 0.5 must be a whole number of MiB (member 'dora')",
    ]);
  });
});

describe("the capacity", () => {
  it("accepts quotas that come to just the capacity, and counts nobody without one", () => {
    const capacity = { cpuMillicores: 5500, memoryMiB: 5500, storageMiB: 55_000 };
    assert.deepEqual(mistakes({ capacity, members: [...users(11), { member: "alice", type: "admin" }] }), []);
  });

  it("refuses the capacity figure by figure, with both numbers and how many members there are", () => {
    const capacity = { cpuMillicores: 4000, memoryMiB: 5499, storageMiB: 1 };
    assert.deepEqual(mistakes({ capacity, members: users(11) }), [
      "capacity.cpuMillicores: 4000 is less than the sum of the quotas of 11 members (5500)",
      "capacity.memoryMiB: 5499 is less than the sum of the quotas of 11 members (5500)",
      "capacity.storageMiB: 1 is less than the sum of the quotas of 11 members (55000)",
    ]);
    assert.deepEqual(mistakes({ capacity: { cpuMillicores: 499 }, members: users(1) }), [
      "capacity.cpuMillicores: 499 is less than the quota of a member (500)",
    ]);
  });

  it("counts what is known against the capacity, if one figure is wrong", () => {
    const members = [...users(2), { member: "bob", type: "user", maxCPUm: "many" }];
    assert.deepEqual(mistakes({ capacity: { cpuMillicores: 999 }, members }), [
      "capacity.cpuMillicores: 999 is less than the sum of the quotas of 2 members (1000)",
      "members[2].maxCPUm: \"many\" must be a number of thousandths of a CPU (member 'bob')",
    ]);
  });
});
