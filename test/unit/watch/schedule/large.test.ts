import assert from "node:assert/strict";
import type { Planned } from "../../../../plan/plan.ts";
import type { LiveSnapshot } from "../../../../watch/live/liveCluster.ts";
import { isLarge } from "../../../../watch/schedule/large.ts";
import { cluster } from "../../cluster/leaving.ts";
import { lookAfter } from "../../commands/up/afterUp.ts";
import { configuration } from "../../samples.ts";

describe("a targeted up of the watch", () => {
  const names = Array.from({ length: 120 }, (_, at) => `kim-${at}`);
  const members = names.map((member) => ({ member, type: "user" }));
  const plan = lookAfter(configuration({ members }), cluster()) as unknown as Planned<LiveSnapshot>;

  it("takes a targeted up of many members for large, though all their objects are there", () => {
    assert.equal(isLarge({ target: names.slice(0, 60) }, plan), true);
    assert.equal(isLarge({ target: names.slice(0, 5) }, plan), false);
  });
});
