import assert from "node:assert/strict";
import { type Sleeper, settleSleepers } from "../../../../cluster/write/wakeUp.ts";
import { HeldTime } from "../../heldTime.ts";
import { settings } from "../../samples.ts";
import { json, useApiServer } from "../fakeApiServer.ts";

const now = new Date("2026-11-27T06:00:10Z");
const falling: Sleeper = { member: "bob", since: "2026-11-26T19:00:00.000Z", keepsQuota: true };
const waking: Sleeper = { member: "bob", since: undefined, keepsQuota: true };
const list = (kind: string, ...items: object[]) => json({ kind: `${kind}List`, items });
const of = (name: string, spec: object, status: object) => ({ metadata: { name, namespace: "bob" }, spec, status });
const quota = (pods: string) => list("ResourceQuota", of("quota", { hard: { pods } }, { hard: { pods } }));
const fine = json({});
const ofSleep = (value: string | null) => ({ metadata: { annotations: { "kubecamp.dev/slept": value } } });
const nudge = (round: number) => ({
  metadata: { annotations: { "kubecamp.dev/nudged": `2026-11-27T06:00:10.000Z ${round}` } },
});

describe("falling asleep and waking", () => {
  const server = useApiServer();

  const pauses: number[] = [];
  const settle = (...sleepers: readonly Sleeper[]) => {
    pauses.length = 0;
    const pause = async (milliseconds: number) => pauses.push(milliseconds);
    return settleSleepers(sleepers, settings, now, { pause });
  };
  const written = () =>
    server.writes.map(({ method, url, contentType, body }) => {
      assert.deepEqual([method, contentType], ["PATCH", "application/merge-patch+json"]);
      return [url, JSON.parse(body)];
    });

  it("marks the namespace of who falls asleep", async () => {
    server.answers("bob", fine);
    assert.deepEqual(await settle(falling), new Map());
    assert.deepEqual(written(), [["/api/v1/namespaces/bob", ofSleep("2026-11-26T19:00:00.000Z")]]);
  });

  it("wakes controllers that lack pods, by `status`, and then takes the sleep's mark away", async () => {
    server.answers("resourcequotas", quota("50"));
    const scaled = (name: string, wanted: number, current: number) =>
      of(name, { replicas: wanted }, { replicas: current });
    const onNodes = (name: string, desiredNumberScheduled: number, currentNumberScheduled: number) =>
      of(name, {}, { desiredNumberScheduled, currentNumberScheduled });
    const all = {
      ReplicaSet: [scaled("web-1", 2, 1), scaled("web-0", 0, 0), scaled("whole", 1, 1)],
      StatefulSet: [of("db", {}, {}), of("off", { replicas: 0 }, {})],
      DaemonSet: [onNodes("agent", 2, 1), onNodes("idle", 0, 0)],
      ReplicationController: [scaled("former", 1, 0), of("none", { replicas: 0 }, {})],
    };
    for (const [kind, items] of Object.entries(all)) {
      server.answers(`${kind.toLowerCase()}s`, list(kind, ...items));
    }
    // By the second look, all have pods.
    server.answers("status", fine, fine, fine, fine);
    server.answers("bob", fine);
    assert.deepEqual(await settle(waking), new Map());
    const home = "/apis/apps/v1/namespaces/bob";
    assert.deepEqual(written().slice(0, -1).sort(), [
      ["/api/v1/namespaces/bob/replicationcontrollers/former/status", nudge(1)],
      [`${home}/daemonsets/agent/status`, nudge(1)],
      [`${home}/replicasets/web-1/status`, nudge(1)],
      [`${home}/statefulsets/db/status`, nudge(1)],
    ]);
    assert.deepEqual(written().at(-1), ["/api/v1/namespaces/bob", ofSleep(null)]);
  });

  it("notes a wake of the member's own first, and then removes the ConfigMap that asked for it", async () => {
    const granted = { until: "2026-11-27T00:00:00.000Z", wakes: "2026-11-26T22:00:00.000Z" };
    server.answers("resourcequotas", quota("50"));
    server.answers("bob", fine, fine);
    server.answers("configmaps", list("ConfigMap", of("wake", {}, {})));
    server.answers("wake", fine);
    assert.deepEqual(await settle({ ...waking, wakeAnswer: { granted } }), new Map());
    const noted = { "kubecamp.dev/awake-until": granted.until, "kubecamp.dev/own-wakes": granted.wakes };
    assert.deepEqual(
      server.writes.map(({ method, url, body }) => [method, url, body === "" ? "" : JSON.parse(body)]),
      [
        ["PATCH", "/api/v1/namespaces/bob", { metadata: { annotations: noted } }],
        ["DELETE", "/api/v1/namespaces/bob/configmaps/wake", ""],
        ["PATCH", "/api/v1/namespaces/bob", ofSleep(null)],
      ],
    );
  });

  it("has noted a wake of the member's own even if their workloads, which they may delete meanwhile, let it fail", async () => {
    const granted = { until: "2026-11-27T00:00:00.000Z", wakes: "2026-11-26T22:00:00.000Z" };
    server.answers("resourcequotas", quota("50"));
    server.answers("bob", fine);
    server.answers("configmaps", list("ConfigMap", of("wake", {}, {})));
    server.answers("wake", fine);
    server.answers("replicasets", list("ReplicaSet", of("web-1", { replicas: 1 }, {})));
    server.answers("status", json({ message: "not found" }, 404));
    assert.deepEqual([...(await settle({ ...waking, wakeAnswer: { granted } })).keys()], ["bob"]);
    assert.deepEqual(
      server.writes.slice(0, 2).map(({ method, url }) => [method, url]),
      [
        ["PATCH", "/api/v1/namespaces/bob"],
        ["DELETE", "/api/v1/namespaces/bob/configmaps/wake"],
      ],
    );
  });

  it("only removes the ConfigMap of a member who may not wake, unless they did so themselves", async () => {
    server.answers("bob", fine, fine);
    server.answers("configmaps", list("ConfigMap", of("wake", {}, {})), list("ConfigMap"));
    server.answers("wake", fine);
    assert.deepEqual(await settle({ ...falling, wakeAnswer: {} }), new Map());
    assert.deepEqual(await settle({ ...falling, wakeAnswer: {} }), new Map());
    const note = ["PATCH", JSON.stringify(ofSleep("2026-11-26T19:00:00.000Z"))];
    assert.deepEqual(
      server.writes.map(({ method, body }) => [method, body]),
      [["DELETE", ""], note, note],
    );
  });

  const home = (standing: string) =>
    json({ kind: "Namespace", metadata: { name: "bob", labels: { "kubecamp.dev/standing": standing } } });

  it("wakes controllers that lack pods after a suspension, which has left no mark", async () => {
    server.answers("bob", home("active"));
    server.answers("resourcequotas", quota("50"));
    server.answers("replicasets", list("ReplicaSet", of("web-1", { replicas: 1 }, {})));
    server.answers("status", fine);
    assert.deepEqual(await settle({ ...waking, wasSuspended: true }), new Map());
    assert.deepEqual(written(), [["/apis/apps/v1/namespaces/bob/replicasets/web-1/status", nudge(1)]]);
  });

  it("wakes nobody who is still suspended: the run was for others", async () => {
    server.answers("bob", home("suspended"));
    assert.deepEqual(await settle({ ...waking, keepsQuota: false, wasSuspended: true }), new Map());
    assert.deepEqual([server.asked, server.writes], [["bob"], []]);
  });

  it("wakes controllers once the quota is in force: a pod refused until then would wait again", async () => {
    server.answers("resourcequotas", quota("0"), quota("0"), list("ResourceQuota"));
    server.answers("bob", fine);
    assert.deepEqual(await settle(waking), new Map());
    assert.deepEqual(pauses, [500, 500, 1000]);
  });

  it("tells who could not be woken, keeps their mark, and goes on with the others", async () => {
    server.answers("resourcequotas", quota("50"), quota("50"));
    const denied = json({ message: "replicasets.apps is forbidden" }, 403);
    server.answers("replicasets", denied);
    server.answers("eve", fine);
    const failed = await settle(waking, { ...falling, member: "eve" });
    assert.deepEqual([...failed.keys()], ["bob"]);
    assert.match(failed.get("bob") ?? "", /403 replicasets.apps is forbidden/);
    assert.doesNotMatch(failed.get("bob") ?? "", /Nothing was changed/);
    assert.deepEqual(written(), [["/api/v1/namespaces/eve", ofSleep("2026-11-26T19:00:00.000Z")]]);
  });

  it("wakes again, a second later, what still lacks pods", async () => {
    const lacking = list("StatefulSet", of("db", {}, {}));
    server.answers("resourcequotas", quota("50"));
    server.answers("statefulsets", lacking, lacking);
    server.answers("status", fine, fine);
    server.answers("bob", fine);
    assert.deepEqual(await settle(waking), new Map());
    const db = "/apis/apps/v1/namespaces/bob/statefulsets/db/status";
    assert.deepEqual(written().slice(0, -1), [
      [db, nudge(1)],
      [db, nudge(2)],
    ]);
    assert.deepEqual(pauses, [1000]);
  });

  it("wakes a whole class, some at a time", async () => {
    const time = new HeldTime();
    try {
      const several = Array.from({ length: 40 }, (_, each): Sleeper => ({ ...waking, member: `bob${each}` }));
      for (const { member } of several) {
        server.answers(member, fine);
      }
      let pausing: (() => void)[] = [];
      const pause = () => new Promise<void>((resolve) => pausing.push(resolve));
      let isOver = false;
      const settling = settleSleepers(several, settings, now, { pause }).finally(() => {
        isOver = true;
      });
      for (let round = 0; round < 4; round++) {
        while (pausing.length < 10 && !isOver) {
          await new Promise(setImmediate);
        }
        await time.pass(20_000);
        for (const resolve of pausing) {
          resolve();
        }
        pausing = [];
      }
      assert.deepEqual(await settling, new Map());
    } finally {
      time.release();
    }
  });

  it("deletes a quota for the night only at once, which Pulumi would delete last", async () => {
    server.answers("resourcequotas", quota("0"));
    server.answers("quota", fine);
    server.answers("bob", fine);
    assert.deepEqual(await settle({ ...waking, keepsQuota: false }), new Map());
    const requests = server.writes.map(({ method, url }) => `${method} ${url}`);
    const home = "/api/v1/namespaces/bob";
    assert.deepEqual(requests, [`DELETE ${home}/resourcequotas/quota`, `PATCH ${home}`]);
  });
});
