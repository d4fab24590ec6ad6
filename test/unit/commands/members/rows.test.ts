import assert from "node:assert/strict";
import { memberJson, memberTable, narrowTable, pendingText, wideTable } from "../../../../commands/members/rows.ts";
import type { MemberOverview } from "../../../../plan/members/overview.ts";
import { memberOverview } from "./memberOverview.ts";

const alice = memberOverview("alice", {
  type: "admin",
  state: "pending",
  reason: "no Service 'alice-svc' in namespace 'alice'",
  protected: true,
  pods: 12,
});
const bob: MemberOverview = {
  ...alice,
  member: "bob",
  namespace: "bob",
  type: "user",
  state: "ready",
  reason: undefined,
  route: { host: "camp.test", path: "/bob" },
  expires: "2026-12-31",
  protected: false,
  starter: { mode: "kept", replicas: 2, available: 1 },
  buckets: [
    { name: "data", bucketName: "bob-data", endpoint: "https://s3.example.org", ready: undefined },
    { name: "site", bucketName: undefined, endpoint: undefined, ready: false },
  ],
  pods: 3,
  usage: {
    "limits.cpu": { used: "250m", hard: "1" },
    "limits.memory": { used: "268435457", hard: "1Gi" },
    persistentvolumeclaims: { used: "1", hard: "5" },
    "requests.storage": { used: "10Gi", hard: "5000Mi" },
  },
};
const carol: MemberOverview = {
  ...alice,
  member: "carol",
  namespace: "carol",
  type: undefined,
  state: "suspended",
  reason: "suspended",
  pods: 0,
  usage: {
    "limits.cpu": { used: undefined, hard: "500m" },
    "limits.memory": { used: "0", hard: "500Mi" },
    persistentvolumeclaims: { used: "0", hard: "5" },
    pods: { used: "0", hard: "0" },
  },
};

describe("the table of who is on the cluster", () => {
  it("the table is followed by why a path is not open, of up to three members", () => {
    assert.equal(pendingText([bob, carol]), undefined);
    assert.equal(pendingText([bob, alice]), "alice is pending: no Service 'alice-svc' in namespace 'alice'");
    assert.equal(pendingText([alice, alice, alice])?.split("\n").length, 3);
    assert.equal(
      pendingText([alice, alice, alice, alice]),
      "4 members are pending; 'kubecamp members -o wide' says why.",
    );
  });

  it("shows used of hard, and '-' where nothing is held or open", () => {
    assert.equal(
      narrowTable([alice, bob, carol], undefined),
      `MEMBER  TYPE   STATE      CPU     MEMORY     PVCS  PODS  ROUTE  EXPIRES
alice   admin  pending    -       -          -     12    -      -
bob     user   ready      250m/1  257Mi/1Gi  1/5   3     /bob   2026-12-31
carol   ?      suspended  ?/500m  0/500Mi    0/5   0/0   -      -`,
    );
  });

  it("the table is as wide as a terminal of 80 columns with the longest of names", () => {
    const name = "m".repeat(59);
    const long = { ...carol, member: name, type: "guest-user", route: { host: "camp.test", path: `/${name}` } };
    assert.equal(
      narrowTable([{ ...long, expires: "2026-12-31" }], 80),
      `MEMBER      TYPE       STATE     CPU    MEMORY  PVCS PODS ROUTE       EXPIRES
mmmmmmmmmm… guest-user suspended ?/500m 0/500Mi 0/5  0/0  /mmmmmmmmm… 2026-12-31`,
    );
  });

  it("shows devices and classes when it is wide, where somebody has any", () => {
    const usage = {
      "requests.nvidia.com/gpu": { used: "1", hard: "2" },
      "gpu.example.com.deviceclass.resource.k8s.io/devices": { used: undefined, hard: "1" },
      "fast.storageclass.storage.k8s.io/requests.storage": { used: "5Gi", hard: "20Gi" },
      "bulk.storageclass.storage.k8s.io/requests.storage": { used: "0", hard: "0" },
      "requests.storage": { used: "5Gi", hard: "20Gi" },
    };
    const [heading, first, second] = wideTable([alice, { ...bob, usage }])
      .split("\n")
      .map((line) => line.replaceAll(/ {2,}/g, "|"));
    assert.match(heading ?? "", /\|STORAGE\|DEVICES\|CLASSES\|PODS\|/);
    assert.match(first ?? "", /\|-\|-\|-\|-\|-\|12\|/);
    assert.match(
      second ?? "",
      /\|5Gi\/20Gi\|gpu.example.com \?\/1,nvidia.com\/gpu 1\/2\|bulk 0\/0,fast 5Gi\/20Gi\|3\|/,
    );
    const { devices, storageClasses } = memberJson({ ...bob, usage }, undefined);
    assert.deepEqual(devices, { "gpu.example.com": { used: null, hard: 1 }, "nvidia.com/gpu": { used: 1, hard: 2 } });
    assert.deepEqual(storageClasses?.fast, {
      used: "5Gi",
      hard: "20Gi",
      usedBytes: 5_368_709_120,
      hardBytes: 21_474_836_480,
    });
  });

  it("shows who is in their grace until when, if anybody is", () => {
    const left = memberOverview("eve", { state: "suspended", leaves: "2026-07-15" });
    for (const shown of [
      narrowTable([memberOverview("ana"), left], undefined),
      wideTable([memberOverview("ana"), left]),
    ]) {
      assert.match(
        shown,
        /^.*EXPIRES +LEAVES.*\n.* ana .*\n.* - +2026-07-15( .*)?$|^.*EXPIRES +LEAVES.*\nana .* - +-\neve .* - +2026-07-15$/,
      );
    }
    assert.doesNotMatch(narrowTable([memberOverview("ana")], undefined), /LEAVES/);
    assert.doesNotMatch(wideTable([memberOverview("ana")]), /LEAVES/);
  });

  it("shows more when it is wide", () => {
    assert.equal(
      wideTable([alice, bob]),
      `STACK  MEMBER  TYPE   STATE    CPU     MEMORY         PVCS  STORAGE      PODS  EXPIRES     PROTECTED  STARTER   BUCKETS    URL                     REASON
dev    alice   admin  pending  -       -              -     -            12    -           yes        -         -          -                       no Service 'alice-svc' in namespace 'alice'
dev    bob     user   ready    250m/1  268435457/1Gi  1/5   10Gi/5000Mi  3     2026-12-31  no         kept 1/2  data,site  https://camp.test/bob/  -`,
    );
  });
});

describe("one member's lines", () => {
  it("a member's lines are the wide table's columns, and wrap at the terminal's width", () => {
    const reason = "Service 'alice-svc' in namespace 'alice' leads to no Pod, because its selector matches none";
    const lines = memberTable({ ...alice, reason }, 60).split("\n");
    assert.deepEqual(
      lines.map((line) => line.split(" ")[0]),
      [
        ...["STACK", "MEMBER", "TYPE", "STATE", "CPU", "MEMORY", "PVCS", "STORAGE", "PODS", "EXPIRES", "PROTECTED"],
        ...["STARTER", "BUCKETS", "URL", "REASON", ""],
      ],
    );
    assert.ok(lines.every((line) => line.length <= 60));
    assert.equal(memberTable(bob, undefined).split("\n").at(-2), "URL        https://camp.test/bob/");
  });
});

describe("a member as JSON", () => {
  it("a member as JSON has quantities as text and as numbers", () => {
    assert.deepEqual(memberJson(bob, { course: "cs101" }), {
      stack: "dev",
      member: "bob",
      namespace: "bob",
      type: "user",
      labels: { course: "cs101" },
      state: "ready",
      reason: null,
      url: "https://camp.test/bob/",
      host: "camp.test",
      path: "/bob",
      expires: "2026-12-31",
      leaves: null,
      protected: false,
      starter: { mode: "kept", replicas: 2, available: 1 },
      buckets: [
        { name: "data", bucketName: "bob-data", endpoint: "https://s3.example.org", ready: null },
        { name: "site", bucketName: null, endpoint: null, ready: false },
      ],
      staff: [],
      ci: [],
      pods: { used: 3, hard: null },
      cpu: { used: "250m", hard: "1", usedMillicores: 250, hardMillicores: 1000 },
      memory: { used: "268435457", hard: "1Gi", usedBytes: 268435457, hardBytes: 1073741824 },
      storage: { used: "10Gi", hard: "5000Mi", usedBytes: 10737418240, hardBytes: 5242880000 },
      persistentVolumeClaims: { used: 1, hard: 5 },
      devices: null,
      storageClasses: null,
    });
  });
});
