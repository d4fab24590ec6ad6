import assert from "node:assert/strict";
import { limitRange } from "../../../../components/objects/limitRange.ts";
import { labelsOf, member, settings } from "../../samples.ts";

describe("limitRange", () => {
  it("gives containers the member's defaults, and PersistentVolumeClaims their largest size", () => {
    const figures = { defaultCPUm: 50, defaultMemoryMB: 64, maxPVCSizeMiB: 2048 };
    assert.deepEqual(limitRange(member({ member: "bob", type: "user", ...figures }), settings), {
      metadata: { name: "default-limits", namespace: "bob", labels: labelsOf("bob") },
      spec: {
        limits: [
          {
            type: "Container",
            default: { cpu: "50m", memory: "64Mi" },
            defaultRequest: { cpu: "50m", memory: "64Mi" },
          },
          { type: "PersistentVolumeClaim", max: { storage: "2Gi" } },
        ],
      },
    });
  });
});
