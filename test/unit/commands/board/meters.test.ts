import assert from "node:assert/strict";
import { metersOf } from "../../../../commands/board/meters.ts";
import { wordsIn } from "../../../../commands/board/parts/texts.ts";

const { en } = wordsIn;

describe("the bars of a quota", () => {
  it("bars are one for each resource, devices and StorageClasses included", () => {
    const usage = {
      "fast.storageclass.storage.k8s.io/requests.storage": { used: "5Gi", hard: "20Gi" },
      "requests.nvidia.com/gpu": { used: "1", hard: "2" },
      "gpu.example.com.deviceclass.resource.k8s.io/devices": { used: "0", hard: "1" },
      "limits.cpu": { used: "250m", hard: "1" },
      "limits.memory": { used: "268435457", hard: "1Gi" },
      "requests.storage": { used: "10Gi", hard: "10Gi" },
      persistentvolumeclaims: { used: "1", hard: "5" },
      pods: { used: "9", hard: "50" },
      services: { used: "1", hard: "50" },
    };
    assert.deepEqual(
      metersOf({ usage, pods: 10 }, en).map(({ title, used, hard, share }) => [title, used, hard, share]),
      [
        ["CPU", "250m", "1", 0.25],
        ["Memory", "257Mi", "1Gi", 268435457 / 1024 ** 3],
        ["Pods", "10", "50", 0.2],
        ["Storage", "10Gi", "10Gi", 1],
        ["Volume claims", "1", "5", 0.2],
        ["Device gpu.example.com", "0", "1", 0],
        ["Device nvidia.com/gpu", "1", "2", 0.5],
        ["Storage fast", "5Gi", "20Gi", 0.25],
      ],
    );
  });

  it("bars are empty at nothing, full beyond a limit, and of no length before there is a count", () => {
    const shares = (used: string | undefined, hard: string) =>
      metersOf({ usage: { "limits.cpu": { used, hard } }, pods: 0 }, en).map(({ share }) => share)[0];
    assert.deepEqual(
      [
        shares("0", "0"),
        shares("1", "0"),
        shares("3", "2"),
        shares("0", "2"),
        shares(undefined, "2"),
        shares("x", "2"),
      ],
      [0, 1, 1, 0, undefined, undefined],
    );
  });
});
