import assert from "node:assert/strict";
import { figures } from "../../../../../objects/resourceQuota.ts";
import { defaultDifferences, quotaDifferences } from "../../../../../verify/parts/limits/figures.ts";
import { member, settings } from "../../../samples.ts";

const bob = member({ member: "bob", type: "user" });
const hard = figures(bob.limits);
const quota = (spec: object, status: object) =>
  quotaDifferences({ spec: { hard: { ...hard, ...spec } }, status: { hard: { ...hard, ...status } } }, bob, settings);

describe("a live quota", () => {
  it("is that of the settings in any spelling of its figures, and with others beside them", () => {
    assert.deepEqual(
      quota({ "limits.cpu": "0.5", "count/pods": "1050", more: "1" }, { "limits.memory": "512000Ki" }),
      [],
    );
  });

  it("differs if a figure was raised, lowered or taken out, in what it asks for or in force", () => {
    assert.deepEqual(quota({ pods: "100" }, { pods: "100" }), ["pods is 100 instead of 50"]);
    assert.deepEqual(quota({ pods: "100" }, {}), ["pods is 100 instead of 50"]);
    assert.deepEqual(quota({}, { pods: "100", "limits.cpu": "10m" }), [
      "limits.cpu is 10m instead of 500m",
      "pods is 100 instead of 50",
    ]);
    assert.deepEqual(quota({ pods: undefined }, {}), ["pods is not limited instead of 50"]);
  });

  it("differs in all if there is none", () => {
    assert.equal(quotaDifferences({}, bob, settings).length, Object.keys(hard).length);
  });
});

describe("a container that states no resources", () => {
  const limits = { cpu: "100m", memory: "100Mi", "ephemeral-storage": "1000Mi" };
  const requests = { ...limits, "ephemeral-storage": "0" };

  it("has those of the settings", () => {
    assert.deepEqual(defaultDifferences({ limits: { ...limits, cpu: "0.1" }, requests }, bob, settings), []);
  });

  it("has others, or none", () => {
    assert.deepEqual(defaultDifferences({ limits: { ...limits, cpu: "4" }, requests }, bob, settings), [
      "its limit of cpu is 4 instead of 100m",
    ]);
    assert.equal(defaultDifferences({}, bob, settings).length, 6);
  });
});
