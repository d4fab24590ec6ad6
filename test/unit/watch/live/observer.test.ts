import assert from "node:assert/strict";
import { LeftOutError, type LiveEvents } from "../../../../watch/live/liveCluster.ts";
import { Observer } from "../../../../watch/live/observer.ts";
import { Metrics } from "../../../../watch/telemetry/metrics.ts";
import { configuration } from "../../samples.ts";
import { emptySnapshot, fakeLog } from "../fakes.ts";

/** An observer of a cluster that is read at once or never, and that tells what a test says. */
function observing(synced: Promise<void>) {
  const { lines, log } = fakeLog();
  const metrics = new Metrics();
  let events: LiveEvents | undefined;
  const none = () => undefined;
  const observer = new Observer({
    ...{ log, metrics, onChange: none, onSight: none },
    watchCluster: (_stack, all) => {
      events = all;
      return { synced, snapshot: () => emptySnapshot, well: true };
    },
  });
  observer.watch(configuration({ members: [] }));
  return { observer, lines, metrics, events: events ?? assert.fail() };
}

describe("an observer", () => {
  it("counts the watch's cut connections, and logs once where five in a row have brought nothing", async () => {
    const { observer, lines, metrics, events } = observing(new Promise(() => undefined));
    for (const fruitless of [0, 0, 1, 2, 3, 4, 5, 0]) {
      events.onCut("the Services", fruitless);
    }
    const { values } = await metrics.connectionsCut.get();
    assert.deepEqual(
      [values.map(({ value }) => value), lines.map(({ level, action, what }) => [level, action, what])],
      [[8], [["warn", "connections cut", "the Services"]]],
    );
    observer.close();
  });

  it("takes an outage for over where the right to read turns out to be missing", async () => {
    const { observer, metrics, events } = observing(Promise.resolve());
    await Promise.resolve();
    events.onTrouble("the Secrets", new Error("connection refused"));
    assert.match(observer.trouble ?? "", /no answer for the Secrets/);
    events.onTrouble("the Secrets", new LeftOutError("403"));
    assert.deepEqual(
      [observer.trouble, (await metrics.clusterConnected.get()).values.map(({ value }) => value)],
      [undefined, [1]],
    );
    observer.close();
  });
});
