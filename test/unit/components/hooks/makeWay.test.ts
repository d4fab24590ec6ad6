import assert from "node:assert/strict";
import type { ManagedObject } from "../../../../cluster/read/snapshot.ts";
import { makeWay } from "../../../../components/storage.ts";
import { json, metadataList, useApiServer } from "../../cluster/fakeApiServer.ts";
import { managedObject } from "../../cluster/leaving.ts";
import { settings } from "../../samples.ts";

const secret = { kind: "Secret" as const, metadata: { name: "data", namespace: "ana" } };
const ours = managedObject("ana");
const made = { ...ours, labels: { ...ours.labels, "kubecamp.dev/bucket": "data" } };

describe("what is in the way of what nobody can change", () => {
  const server = useApiServer();
  const clear = (live: ManagedObject | undefined) => {
    const managedObjects = new Map(live === undefined ? [] : [["Secret ana/data", live]]);
    return makeWay(secret, settings, { managedObjects }, { pause: async () => undefined });
  };
  const there = () => server.answers("secrets", json(metadataList({ metadata: { name: "data", uid: "u-1" } })));

  it("deletes an unchangeable object in the way that a run has made, and that very one", async () => {
    for (const live of [made, { ...ours, labels: {}, applied: "0123" }]) {
      there();
      server.answers("data", json({}));
      server.writes.length = 0;
      await clear(live);
      const [write, ...more] = server.writes;
      assert.deepEqual([write?.method, write?.url, more], ["DELETE", "/api/v1/namespaces/ana/secrets/data", []]);
      assert.deepEqual(JSON.parse(write?.body ?? "").preconditions, { uid: "u-1" });
    }
  });

  it("deletes nothing in the way that is gone by now, or never was there", async () => {
    await clear(undefined);
    assert.deepEqual(server.asked, []);
    server.answers("secrets", json(metadataList()));
    await clear(made);
    assert.deepEqual(server.writes, []);
  });

  it("deletes nothing in the way that is somebody else's", async () => {
    for (const live of [ours, { ...made, labels: {} }]) {
      await assert.rejects(
        clear(live),
        /^Error: Secret 'ana\/data' is there, and not kubecamp's; call the bucket otherwise/,
      );
    }
    assert.deepEqual(server.asked, []);
  });

  it("stops the run where an object in the way can't be deleted, and names that", async () => {
    there();
    server.answers("data", json({ kind: "Status", message: "no", reason: "Forbidden", code: 403 }, 403));
    await assert.rejects(clear(made), /Can't delete Secret ana\/data, which is made anew, on the API server/);
  });
});
