import assert from "node:assert/strict";
import { groupsOf } from "../../../../commands/common/usage.ts";
import { groupJson, groupsTable } from "../../../../commands/members/rows.ts";
import type { Usage } from "../../../../plan/members/overview.ts";
import { memberOverview } from "./memberOverview.ts";

const member = (name: string, type: string, usage?: Readonly<Record<string, Usage>>) =>
  memberOverview(name, { type, usage });
const quota = (cpu: string | undefined, memory: string, storage: string) => ({
  "limits.cpu": { used: cpu, hard: "500m" },
  "limits.memory": { used: memory, hard: "500Mi" },
  "requests.storage": { used: storage, hard: "5000Mi" },
});
const courses: Readonly<Record<string, string>> = {
  ada: "cs101",
  bob: "cs101",
  kim: "cs101",
  cyd: "cs102",
  joe: "staff",
};
const ada = member("ada", "user", quota("250m", "135000000", "100Mi"));
const bob = member("bob", "user", quota("0.1", "1Mi", "0"));
const cyd = member("cyd", "user", quota(undefined, "0", "0"));
const eve = member("eve", "user", quota("1", "1Gi", "3Gi"));
const joe = member("joe", "admin");
const kim = member("kim", "admin", { pods: { used: "0", hard: "0" }, "count/jobs.batch": { used: "0", hard: "0" } });
const groups = groupsOf([eve, joe, kim, cyd, bob, ada], (one) => courses[one.member]);

describe("quotas in sum", () => {
  it("sums are a line for each value, then one for those without", () => {
    assert.equal(
      groupsTable("course", groups, undefined),
      `COURSE  MEMBERS  NO QUOTA  CPU     MEMORY        STORAGE
cs101   3        1         350m/1  130Mi/1000Mi  100Mi/10000Mi
cs102   1        0         ?/500m  0/500Mi       0/5000Mi
staff   1        1         -       -             -
(none)  1        0         1/500m  1Gi/500Mi     3Gi/5000Mi`,
    );
  });

  describe("of devices and StorageClasses", () => {
    const lab = (gpus: string | undefined, fast: string, more: Readonly<Record<string, Usage>> = {}) => ({
      ...quota("0", "0", fast),
      "requests.nvidia.com/gpu": { used: gpus, hard: "2" },
      "fast.storageclass.storage.k8s.io/requests.storage": { used: fast, hard: "20Gi" },
      ...more,
    });
    const claims = { "gpu.example.com.deviceclass.resource.k8s.io/devices": { used: "1", hard: "1" } };
    const ann = member("ann", "gpu", lab("1", "5Gi"));
    const ben = member("ben", "gpu", lab("2", "1048577", claims));
    const late = member("late", "gpu", lab(undefined, "0"));
    const byType = groupsOf([ann, ben, ada], ({ type }) => type);

    it("devices and classes are there where somebody has some", () => {
      assert.equal(
        groupsTable("type", byType, undefined),
        `TYPE  MEMBERS  NO QUOTA  CPU        MEMORY       STORAGE         DEVICES                                 CLASSES
gpu   2        0         0/1        0/1000Mi     5122Mi/10000Mi  gpu.example.com 1/1,nvidia.com/gpu 3/4  fast 5122Mi/40Gi
user  1        0         250m/500m  129Mi/500Mi  100Mi/5000Mi    -                                       -`,
      );
      assert.match(
        groupsTable(
          "type",
          groupsOf([ann, late], ({ type }) => type),
          undefined,
        ),
        /nvidia\.com\/gpu \?\/4 /,
      );
    });
  });

  it("sums are the same for programs, with numbers", () => {
    assert.deepEqual(
      groups.slice(0, 1).map((group) => groupJson("course", group)),
      [
        {
          label: "course",
          value: "cs101",
          members: 3,
          withoutQuota: 1,
          cpu: { used: "350m", hard: "1", usedMillicores: 350, hardMillicores: 1000 },
          memory: { used: "136048576", hard: "1000Mi", usedBytes: 136048576, hardBytes: 1048576000 },
          storage: { used: "100Mi", hard: "10000Mi", usedBytes: 104857600, hardBytes: 10485760000 },
          devices: null,
          storageClasses: null,
        },
      ],
    );
    assert.deepEqual(groupJson("course", groupsOf([joe], () => undefined)[0] ?? assert.fail()), {
      label: "course",
      value: null,
      members: 1,
      withoutQuota: 1,
      cpu: null,
      memory: null,
      storage: null,
      devices: null,
      storageClasses: null,
    });
  });
});
