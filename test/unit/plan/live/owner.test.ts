import assert from "node:assert/strict";
import { starterKinds } from "../../../../objects/starter/names.ts";
import type { ManagedService } from "../../../../plan/decisions/managedService.ts";
import { isOurs, whoseOf } from "../../../../plan/live/owner.ts";
import { memberObjects } from "../../../../plan/rows/manifest.ts";
import { bob, gatewaySettings, labelsOf, member, settings, withBuckets } from "../../samples.ts";

const ours = { labels: labelsOf("bob") };
const unlabelled = { labels: {} };
const ofAnother = { labels: labelsOf("eve") };
const elsewhere = { labels: { ...labelsOf("bob"), "kubecamp.dev/stack": "prod" } };
const shards = { family: "dev", count: 2 };

type Live = Partial<Parameters<typeof whoseOf>[1]>;
const gateway = gatewaySettings({ backendProtocol: "HTTPS" });
/** The owner of a live object under the name of one of a run's, for a member with a route. */
const whose = (part: string, live: Live, adopt = false, who = bob, stack = gateway) => {
  const starter = { mode: "kept", made: starterKinds, left: [], service: "none", wasMade: false, marks: true } as const;
  const service = { annotations: {} } as ManagedService;
  const { base, route } = memberObjects({ member: who, settings: stack, starter, service });
  const object = [...base, ...route].find((each) => each.part === part);
  assert.ok(object, part);
  return whoseOf(object, { labels: {}, ...live }, { ...who, adopt }, stack);
};

describe("whose a live object is", () => {
  it("takes an object for the stack's that has made or taken over that, also within a family", () => {
    const areOurs = [ours, unlabelled, elsewhere].map((live) => isOurs(live, settings));
    assert.deepEqual(areOurs, [true, false, false]);
    const sibling = { labels: { ...labelsOf("bob"), "kubecamp.dev/stack": "dev-1" } };
    assert.equal(isOurs(sibling, settings), false);
    assert.equal(isOurs(sibling, { ...settings, shards }), true);
  });

  it("takes an object outside a member's namespace for foreign unless the labels say ours", () => {
    for (const part of ["namespace", "others/view", "route/ingress", "route/service"]) {
      assert.equal(whose(part, ours, false, bob, settings), "ours", part);
      for (const live of [unlabelled, ofAnother, elsewhere, { applied: "0123" }]) {
        assert.equal(whose(part, live, false, bob, settings), "foreign", part);
      }
    }
  });

  it("takes objects at home for the stack's, but for unapplied ones that not every run declares", () => {
    for (const part of ["binding/edit", "isolation", "starter/deployment", "service"]) {
      assert.equal(whose(part, unlabelled), "ours", part);
    }
    for (const part of ["quota", "route/http", "route/backend-tls"]) {
      assert.equal(whose(part, ours), "ours", part);
      assert.equal(whose(part, unlabelled), "foreign", part);
      assert.equal(whose(part, ofAnother), "foreign", part);
      assert.equal(whose(part, { applied: "0123" }), "ours", part);
    }
  });

  it("takes over foreign objects anywhere with adopt, but those that are nobody's or can't be", () => {
    for (const part of ["namespace", "limits", "route/ingress"]) {
      assert.equal(whose(part, unlabelled, true, bob, settings), "toTakeOver", part);
      assert.equal(whose(part, ours, true, bob, settings), "ours", part);
    }
    assert.equal(whose("service-account", unlabelled, true), "ours");
    const stack = withBuckets({ member: "ida", type: "user", buckets: [{ name: "data" }] });
    const ida = { ...member({ member: "ida", type: "user" }), ...stack.members[0] };
    assert.equal(whose("bucket/data/secret", unlabelled, true, ida, stack.settings), "ours");
    assert.equal(whose("role/edit", unlabelled, true, ida, stack.settings), "toTakeOver");
  });
});
