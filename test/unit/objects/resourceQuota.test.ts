import assert from "node:assert/strict";
import { hasQuota } from "../../../config/member/member.ts";
import { role } from "../../../objects/rbac/role.ts";
import { resourceQuota } from "../../../objects/resourceQuota.ts";
import { alice, atOnce, bob, labelsOf, member, settings, withBuckets } from "../samples.ts";

/** A member who may start nothing new. */
const nothing = { pods: "0", "count/jobs.batch": "0" };

describe("resourceQuota", () => {
  it("a quota holds CPU, memory, storage, pods and object counts, and no Service of open ports", () => {
    const twenty = [
      ...["cronjobs.batch", "daemonsets.apps", "deployments.apps", "horizontalpodautoscalers.autoscaling"],
      ...["jobs.batch", "secrets", "services", "statefulsets.apps"],
    ];
    const figures = {
      ...{ maxCPUm: 1500, maxMemoryMiB: 2048, maxEphemeralStorageMiB: 4096, numOfPVCs: 3, maxPVCSizeMiB: 100 },
      ...{ maxPods: 7, maxObjects: 20 },
    };
    assert.deepEqual(resourceQuota(member({ member: "bob", type: "user", ...figures }), settings), {
      metadata: { name: "quota", namespace: "bob", labels: labelsOf("bob"), annotations: atOnce },
      spec: {
        hard: {
          "limits.cpu": "1500m",
          "limits.ephemeral-storage": "4Gi",
          "limits.memory": "2Gi",
          "requests.cpu": "1500m",
          "requests.memory": "2Gi",
          persistentvolumeclaims: "3",
          "requests.storage": "300Mi",
          pods: "7",
          "count/pods": "207",
          "count/configmaps": "22",
          "count/controllerrevisions.apps": "200",
          "count/replicasets.apps": "100",
          ...Object.fromEntries(twenty.map((resource) => [`count/${resource}`, "20"])),
          "services.loadbalancers": "0",
          "services.nodeports": "0",
        },
      },
    });
  });

  it("a quota holds devices and storage by class, and what members make to ask for them", () => {
    const devices = { "nvidia.com/gpu": 1, "gpu.example.com": 2 };
    const ann = member({ member: "ann", type: "user", devices, storage: { fast: "20Gi", bulk: 0 }, maxObjects: 7 });
    const { hard } = resourceQuota(ann, settings).spec;
    const usual = resourceQuota(member({ member: "ann", type: "user", maxObjects: 7 }), settings).spec.hard;
    assert.deepEqual(hard, {
      ...usual,
      "requests.storage": "20Gi",
      "requests.nvidia.com/gpu": "1",
      "gpu.example.com.deviceclass.resource.k8s.io/devices": "2",
      "count/resourceclaims.resource.k8s.io": "7",
      "count/resourceclaimtemplates.resource.k8s.io": "7",
      "fast.storageclass.storage.k8s.io/requests.storage": "20Gi",
      "bulk.storageclass.storage.k8s.io/requests.storage": "0",
    });
  });

  it("a quota holds fewer Services, autoscalers and CronJobs, unless many objects may be there", () => {
    const kinds = ["services", "horizontalpodautoscalers.autoscaling", "cronjobs.batch", "secrets"];
    const few = (maxObjects: number) => {
      const { hard } = resourceQuota(member({ member: "bob", type: "user", maxObjects }), settings).spec;
      return kinds.map((kind) => hard[`count/${kind}`]);
    };
    assert.deepEqual([0, 30, 100, 250].map(few), [
      ["0", "0", "0", "0"],
      ["30", "30", "20", "30"],
      ["40", "40", "20", "100"],
      ["100", "100", "50", "250"],
    ]);
  });

  it("a quota holds the number of whatever a member can make", () => {
    const bob = member({ member: "bob", type: "user", devices: { "gpu.example.com": 1 } });
    const { hard } = resourceQuota(bob, settings).spec;
    const made = role(bob, settings).rules.flatMap(({ apiGroups, resources, verbs }) =>
      verbs.includes("create")
        ? resources
            .filter((resource) => !resource.includes("/"))
            .map((resource) => [resource, ...apiGroups.filter((group) => group !== "")].join("."))
        : [],
    );
    assert.ok(made.includes("deployments.apps") && made.includes("resourceclaims.resource.k8s.io"));
    // Claims have a figure of their own.
    const unheld = made.filter((resource) => !(`count/${resource}` in hard) && resource !== "persistentvolumeclaims");
    assert.deepEqual(unheld, []);
  });

  it("a quota holds pods of the suspended and expired, and Jobs that would be made, at zero", () => {
    const { hard } = resourceQuota(bob, settings).spec;
    for (const closed of [{ suspended: true }, { expires: "2026-06-14" }]) {
      const { spec } = resourceQuota(member({ member: "bob", type: "user", ...closed }), settings);
      assert.deepEqual(spec, { hard: { ...hard, ...nothing } });
    }
    const today = member({ member: "bob", type: "user", expires: "2026-06-15" });
    assert.deepEqual(resourceQuota(today, settings).spec, { hard });
  });

  it("sets a quota for a suspended member of a type without one, that holds pods and Jobs alone", () => {
    const resting = member({ member: "alice", type: "admin", suspended: true });
    assert.deepEqual(resourceQuota(resting, settings).spec, { hard: nothing });
    assert.deepEqual([alice, resting, bob].map(hasQuota), [false, true, true]);
  });

  it("leaves room in a quota for what each bucket comes with, beside what the member makes", () => {
    const hardOf = (buckets: object[]) => {
      const { settings, members } = withBuckets({ member: "bob", type: "user", buckets });
      return resourceQuota(members[0] ?? assert.fail(), settings).spec.hard;
    };
    const [none, two] = [hardOf([]), hardOf([{ name: "data" }, { name: "pics" }])];
    const more = (key: string) => Number(two[key]) - Number(none[key]);
    assert.deepEqual([more("count/secrets"), more("count/configmaps")], [2, 2]);
  });
});
