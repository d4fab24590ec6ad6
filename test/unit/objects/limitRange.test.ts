import assert from "node:assert/strict";
import { limitRange } from "../../../objects/limitRange.ts";
import { atOnce, labelsOf, member, settings } from "../samples.ts";

describe("limitRange", () => {
  it("gives containers the member's defaults, and PersistentVolumeClaims their largest size", () => {
    const figures = { defaultCPUm: 50, defaultMemoryMB: 64, defaultEphemeralStorageMiB: 512, maxPVCSizeMiB: 2048 };
    assert.deepEqual(limitRange(member({ member: "bob", type: "user", ...figures }), settings), {
      metadata: { name: "default-limits", namespace: "bob", labels: labelsOf("bob"), annotations: atOnce },
      spec: {
        limits: [
          {
            type: "Container",
            default: { cpu: "50m", memory: "64Mi", "ephemeral-storage": "512Mi" },
            defaultRequest: { cpu: "50m", memory: "64Mi", "ephemeral-storage": "0" },
            min: { cpu: "10m", memory: "1Mi" },
          },
          { type: "PersistentVolumeClaim", max: { storage: "2Gi" } },
        ],
      },
    });
  });

  it("lets containers state a limit of zero where no quota counts it, and nowhere else", () => {
    const minimum = (entry: object) => Object(containersOf(entry)).min;
    assert.deepEqual(minimum({ quota: false }), undefined);
    // A suspended member comes back to the same limits.
    assert.deepEqual(minimum({ suspended: true }), { cpu: "10m", memory: "1Mi" });
    assert.deepEqual(minimum({ type: "admin", suspended: true }), undefined);
  });
});

const containersOf = (entry: object) =>
  limitRange(member({ member: "bob", type: "user", ...entry }), settings).spec.limits[0];
