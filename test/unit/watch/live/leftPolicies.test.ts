import assert from "node:assert/strict";
import type { Divergence } from "../../../../watch/live/findings.ts";
import { LeftPolicies } from "../../../../watch/live/leftPolicies.ts";
import { settings } from "../../samples.ts";
import { fakeLog } from "../fakes.ts";

const policy = "ValidatingAdmissionPolicy kubecamp-images-dev";
const binding = "ValidatingAdmissionPolicyBinding kubecamp-images-dev";
const shared = (object: string, what: Divergence["what"] = "changed"): Divergence => ({
  member: undefined,
  what,
  object,
});

describe("admission policies that the watch may not write", () => {
  const { lines, log } = fakeLog();
  let left: ReadonlySet<string> = new Set();
  let changes = 0;
  const policies = new LeftPolicies({
    log,
    ask: async () => left,
    onChange: () => {
      changes++;
    },
  });
  const reported = () => lines.filter(({ action }) => action === "left to an admin").map(({ object }) => object);

  it("leaves unwritable admission policies to an admin, and tells each once while different", async () => {
    left = new Set([policy, binding]);
    await policies.look(settings);
    const others = [shared("ClusterRole kubecamp:dev:view"), { ...shared("x"), member: "bob" }];
    for (const _ of [1, 2]) {
      assert.deepEqual(policies.without([shared(policy), ...others]), others);
    }
    assert.deepEqual(reported(), [policy]);
    policies.without([]);
    policies.without([shared(policy), shared(binding)]);
    assert.deepEqual(reported(), [policy, policy, binding]);
    assert.equal(changes, 1);
  });

  it("lets an up see to absent admission policies, without which nobody new gets a key", () => {
    assert.deepEqual(policies.without([shared(policy, "missing")]), [shared(policy, "missing")]);
  });

  it("sees to admission policies again once the watch has the right to write", async () => {
    left = new Set();
    await policies.look(settings);
    assert.deepEqual(policies.without([shared(policy)]), [shared(policy)]);
    assert.equal(changes, 2);
  });
});
