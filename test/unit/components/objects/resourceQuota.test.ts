import assert from "node:assert/strict";
import { resourceQuota } from "../../../../components/objects/resourceQuota.ts";
import { labelsOf, member, settings } from "../../samples.ts";

describe("resourceQuota", () => {
  it("holds CPU, memory, the number of PersistentVolumeClaims and their storage, and no Service that opens a port", () => {
    const figures = { maxCPUm: 1500, maxMemoryMiB: 2048, numOfPVCs: 3, maxPVCSizeMiB: 100 };
    assert.deepEqual(resourceQuota(member({ member: "bob", type: "user", ...figures }), settings), {
      metadata: { name: "quota", namespace: "bob", labels: labelsOf("bob") },
      spec: {
        hard: {
          "limits.cpu": "1500m",
          "limits.memory": "2Gi",
          persistentvolumeclaims: "3",
          "requests.storage": "300Mi",
          "services.loadbalancers": "0",
          "services.nodeports": "0",
        },
      },
    });
  });
});
