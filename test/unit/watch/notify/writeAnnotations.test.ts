import assert from "node:assert/strict";
import { UnconfirmedError } from "../../../../cluster/api/errors.ts";
import { writeAnnotations } from "../../../../watch/notify/writeAnnotations.ts";
import { json, useApiServer } from "../../cluster/fakeApiServer.ts";

describe("what was told, in annotations of namespaces", () => {
  const server = useApiServer();
  const bob = ["bob", { uid: undefined, before: undefined, after: "[]" }] as const;

  it("writes the annotation for notices beside others' annotations, and takes that off", async () => {
    server.answers("bob", json({}));
    server.answers("carol", json({}));
    const writes = new Map([
      ["bob", { uid: "b-1", before: undefined, after: "[]" }],
      ["carol", { uid: undefined, before: "[]", after: undefined }],
    ]);
    assert.deepEqual(await writeAnnotations(writes, undefined), new Map());
    const path = "/metadata/annotations/kubecamp.dev~1notices";
    const patches = {
      bob: [
        { op: "test", path: "/metadata/uid", value: "b-1" },
        { op: "test", path, value: null },
        { op: "add", path, value: "[]" },
      ],
      carol: [
        { op: "test", path, value: "[]" },
        { op: "remove", path },
      ],
    };
    assert.deepEqual(
      server.writes
        .map(({ method, url, contentType, body }) => [method, url, contentType, JSON.parse(body)])
        .toSorted(([, a], [, b]) => (String(a) < String(b) ? -1 : 1)),
      Object.entries(patches).map(([name, patch]) => [
        "PATCH",
        `/api/v1/namespaces/${name}?fieldManager=kubecamp-watch`,
        "application/json-patch+json",
        patch,
      ]),
    );
  });

  it("takes a lost answer for an unconfirmed write of notices, and a refusal for a failed one", async () => {
    server.answers("bob", (request) => request.socket.destroy());
    server.answers("carol", json({ message: "etcdserver: request timed out" }, 500));
    server.answers("eve", json({ message: "the test failed" }, 422));
    server.answers("fay", json({}));
    const writes = new Map(["bob", "carol", "eve", "fay"].map((name) => [name, bob[1]]));
    const refused = await writeAnnotations(writes, undefined);
    assert.deepEqual([...refused].map(([name, error]) => [name, error instanceof UnconfirmedError]).toSorted(), [
      ["bob", true],
      ["carol", true],
      ["eve", false],
    ]);
    const { message = "" } = refused.get("eve") ?? {};
    assert.match(message, /^Can't note in namespace 'eve' what was told on .*: 422 the test failed/);
  });

  it("writes no annotation for notices once the watch has lost its Lease", async () => {
    const refused = await writeAnnotations(new Map([bob]), undefined, AbortSignal.abort());
    assert.deepEqual([[...refused], server.writes], [[["bob", new Error("another watch may have the Lease")]], []]);
  });
});
