import assert from "node:assert/strict";
import { writeAnnotations } from "../../../../watch/notify/writeAnnotations.ts";
import { json, useApiServer } from "../../cluster/fakeApiServer.ts";

describe("what was told, in annotations of namespaces", () => {
  const server = useApiServer();

  it("is written beside what others have there, and taken off", async () => {
    server.answers("bob", json({}));
    server.answers("carol", json({}));
    const values = new Map([
      ["bob", "[]"],
      ["carol", undefined],
    ]);
    assert.deepEqual(await writeAnnotations(values, undefined), new Map());
    assert.deepEqual(
      server.writes
        .map(({ method, url, contentType, body }) => [method, url, contentType, JSON.parse(body)])
        .toSorted(([, a], [, b]) => (String(a) < String(b) ? -1 : 1)),
      [...values].map(([name, value]) => [
        "PATCH",
        `/api/v1/namespaces/${name}?fieldManager=kubecamp-watch`,
        "application/merge-patch+json",
        { metadata: { annotations: { "kubecamp.dev/notices": value ?? null } } },
      ]),
    );
  });

  it("is refused with the reason by namespace, and written in the others", async () => {
    server.answers("bob", json({ message: "no right" }, 403));
    server.answers("carol", json({}));
    const values = new Map([
      ["bob", "[]"],
      ["carol", "[]"],
    ]);
    const refused = await writeAnnotations(values, undefined);
    assert.deepEqual([...refused.keys()], ["bob"]);
    assert.match(refused.get("bob") ?? "", /^Can't note in namespace 'bob' what was told on .*: 403 no right/);
  });

  it("is not written by a watch that has lost its Lease", async () => {
    const refused = await writeAnnotations(new Map([["bob", "[]"]]), undefined, AbortSignal.abort());
    assert.deepEqual([[...refused], server.writes], [[["bob", "another watch may have the Lease"]], []]);
  });

  it("is refused everywhere without an API server", async () => {
    process.env.KUBECONFIG = "/dev/null";
    const refused = await writeAnnotations(new Map([["bob", "[]"]]), undefined);
    assert.match(refused.get("bob") ?? "", /has no current context/);
  });
});
