import assert from "node:assert/strict";
import { UnreadConfiguration } from "../../../runs/selectedStack.ts";
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
      runner: {
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
});
