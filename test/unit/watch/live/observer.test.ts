import assert from "node:assert/strict";
import type { LiveEvents } from "../../../../watch/live/liveCluster.ts";
import { Observer } from "../../../../watch/live/observer.ts";
import { Metrics } from "../../../../watch/telemetry/metrics.ts";
import { configuration } from "../../samples.ts";
import { emptySnapshot, fakeLog } from "../fakes.ts";

describe("an observer", () => {
  it("counts the watch's cut connections, and logs once where five in a row have brought nothing", async () => {
    const { lines, log } = fakeLog();
    const metrics = new Metrics();
    let events: LiveEvents | undefined;
    const none = () => undefined;
    const observer = new Observer({
      ...{ log, metrics, onChange: none, onSight: none },
      watchCluster: (_settings, _members, all) => {
        events = all;
        return { synced: new Promise(none), snapshot: () => emptySnapshot, well: true };
      },
    });
    observer.watch(configuration({ members: [] }));
    for (const fruitless of [0, 0, 1, 2, 3, 4, 5, 0]) events?.onCut("the Services", fruitless);
    const { values } = await metrics.connectionsCut.get();
    assert.deepEqual(
      [values.map(({ value }) => value), lines.map(({ level, action, what }) => [level, action, what])],
      [[8], [["warn", "connections cut", "the Services"]]],
    );
    observer.close();
  });
});
