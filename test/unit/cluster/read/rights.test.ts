import assert from "node:assert/strict";
import { readCluster } from "../../../../cluster/read/read.ts";
import { member, settings } from "../../samples.ts";
import { json, kubeSystem, metadataList, useApiServer } from "../fakeApiServer.ts";

const path = "selfsubjectaccessreviews";

describe("a preview whose identity has not every right", () => {
  const server = useApiServer();
  const dan = member({ member: "dan", type: "user", suspended: true });
  const read = (run?: "preview" | "up") => readCluster([dan], settings, { pause: async () => undefined }, { run });
  const forbidden = (message: string) => json({ kind: "Status", message }, 403);
  const allowing = (allowed: boolean) => json({ kind: "SelfSubjectAccessReview", status: { allowed } }, 201);

  beforeEach(() => {
    server.answers("namespaces", json(metadataList(kubeSystem, { metadata: { name: "dan", labels: {} } })));
    server.answers(path, allowing(false));
  });

  it("notes what a preview may not list, in the API server's words, and knows all else", async () => {
    server.answers("services", forbidden("services is forbidden: User x"));
    server.answers("serviceaccounts", forbidden("no accounts"));
    server.answers("pods", forbidden("no pods"));
    const { unread, namespaces, mayWrite: may } = await read("preview");
    const kinds = {
      Service: "403 services is forbidden: User x",
      ServiceAccount: "403 no accounts",
      Pod: "403 no pods",
    };
    assert.deepEqual(unread, { offline: false, kinds: new Map(Object.entries(kinds)) });
    assert.ok(namespaces.has("dan"));
    assert.equal(may, "no");
  });

  it("lets a preview ask only whether its own identity may write", async () => {
    server.answers(path, allowing(true));
    const { unread, mayWrite: may } = await read("preview");
    assert.deepEqual([unread, may], [undefined, "yes"]);
    const asked = server.writes.map(({ method, url, body }) => [method, url, JSON.parse(body).spec]);
    const resourceAttributes = { verb: "patch", resource: "namespaces" };
    assert.deepEqual(asked, [["POST", `/apis/authorization.k8s.io/v1/${path}`, { resourceAttributes }]]);
  });

  it("finishes a preview where the API server does not tell whether writes are allowed", async () => {
    const evaluationError = "webhook is down";
    for (const answer of [
      forbidden("no reviews"),
      json({ kind: "SelfSubjectAccessReview", status: { allowed: false, evaluationError } }, 201),
      json({}, 201),
      json({ kind: "Status", message: "no such thing" }, 404),
    ]) {
      server.answers(path, answer);
      const { mayWrite: may, unread } = await read("preview");
      assert.deepEqual([may, unread], ["unknown", undefined]);
    }
  });

  it("asks nothing about an up's rights: its writes tell, and there may be none", async () => {
    server.answers(path, forbidden("no reviews"));
    for (const run of ["up", undefined] as const) {
      assert.equal((await read(run)).mayWrite, undefined);
    }
    assert.deepEqual(server.writes, []);
  });

  it("lets the watch leave out kinds that only some members need, and fails without any other", async () => {
    const kept = member({ member: "dan", type: "user", starter: "kept" });
    const watch = () => readCluster([kept], settings, { pause: async () => undefined }, { run: "watch" });
    server.answers("deployments", forbidden("no deployments"), forbidden("no deployments"));
    const { unread, mayWrite: may } = await watch();
    const kinds = new Map([["Deployment", "403 no deployments"]]);
    assert.deepEqual(unread, { offline: false, isLeftOut: true, kinds });
    assert.equal(may, undefined);
    server.answers("rolebindings", forbidden("no bindings"));
    await assert.rejects(watch(), /Can't read the RoleBindings .*403 no bindings/);
  });

  it("fails a preview without the Namespaces, and where the answer is no refusal", async () => {
    server.answers("namespaces", forbidden("no namespaces"));
    await assert.rejects(read("preview"), /Can't read the Namespaces .*403 no namespaces/);
    server.answers("services", json({ kind: "Status", message: "sign in" }, 401));
    await assert.rejects(read("preview"), /Can't read the Services .*401 sign in/);
  });
});
