import assert from "node:assert/strict";
import { UnreadConfiguration, UnreadLeavers } from "../../../runs/selectedStack.ts";
import { Configured } from "../../../watch/configured.ts";
import { Metrics } from "../../../watch/telemetry/metrics.ts";
import { today } from "../samples.ts";
import { fakeLog } from "./fakes.ts";

describe("the configuration of a watch", () => {
  it("reads the configuration again 30 seconds after a read in vain, however long that took", async () => {
    let clock = 0;
    const configured = new Configured({
      log: fakeLog().log,
      metrics: new Metrics(),
      sources: {
        configuration: async () => {
          clock += 60_000;
          throw new UnreadConfiguration("Can't read the Namespaces");
        },
        kept: () => assert.fail("there is none"),
      },
      now: () => clock,
      today: () => today,
    });
    await configured.read(new AbortController().signal);
    assert.equal(configured.isStale, false);
    clock += 30_000;
    assert.equal(configured.isStale, true);
  });

  it("shows the cluster as out of reach where that has not answered since the start", async () => {
    for (const [error, expected] of [
      [new UnreadLeavers("Can't read the Namespaces"), [0]],
      [new UnreadConfiguration("Pulumi's backend does not answer"), []],
    ] as const) {
      const metrics = new Metrics();
      const sources = { configuration: () => Promise.reject(error), kept: () => assert.fail("there is none") };
      const configured = new Configured({ log: fakeLog().log, metrics, sources, now: () => 0, today: () => today });
      await configured.read(new AbortController().signal);
      const { values } = await metrics.clusterConnected.get();
      assert.deepEqual(
        values.map(({ value }) => value),
        expected,
      );
    }
  });
});
