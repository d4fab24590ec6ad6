import assert from "node:assert/strict";
import type { Settings } from "../../../../config/settings.ts";
import { transferObstacle } from "../../../../plan/members/transfers.ts";
import { policyObjectsOf, sharedObjects } from "../../../../plan/rows/manifest.ts";
import { cluster, managedObject, owned } from "../../cluster/leaving.ts";
import { settings } from "../../samples.ts";

describe("what stands in the way of handing somebody over", () => {
  const family: Settings = { ...settings, stack: "prod", shards: { family: "prod", count: 2 } };
  const move = { member: "bob", from: "prod", to: "prod-0" };
  const names = policyObjectsOf({ shared: sharedObjects({ ...family, stack: "prod-0" }) }).map(
    ({ kind, name }) => `${kind} ${name}`,
  );
  const obstacle = (labels: Record<string, string>, there = names, live = {}) =>
    transferObstacle(
      move,
      family,
      cluster({
        namespaces: new Map([["bob", { ...owned("bob", labels), ...live }]]),
        managedObjects: new Map(there.map((key) => [key, managedObject("bob")])),
      }),
    );
  const own = { "kubecamp.dev/stack": "prod" };

  it("hands a member over whose namespace is whole, with the other stack's policies in force", () => {
    assert.ok(names.length > 1);
    assert.equal(obstacle(own), undefined);
  });

  it("hands no member over whose namespace is gone, is going, or has another stack's label", () => {
    const notWhole = "their namespace is not whole; stack 'prod' has to be brought up first";
    assert.equal(transferObstacle(move, family, cluster()), notWhole);
    assert.equal(obstacle(own, names, { terminating: true }), notWhole);
    assert.equal(obstacle({ "kubecamp.dev/stack": "prod-0" }), notWhole);
  });

  it("hands no member over while the other stack lacks a policy", () => {
    const notInForce = "the policies of stack 'prod-0' are not in force yet; it has to be brought up first";
    for (const lacking of names) {
      assert.equal(
        obstacle(
          own,
          names.filter((name) => name !== lacking),
        ),
        notInForce,
      );
    }
  });
});
