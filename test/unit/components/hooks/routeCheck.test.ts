import assert from "node:assert/strict";
import { SecondLook } from "../../../../components/hooks/routeCheck.ts";
import { json, useApiServer } from "../../cluster/fakeApiServer.ts";
import { alice, bob, member, settings } from "../../samples.ts";

describe("a second look at members' Services", () => {
  const server = useApiServer();
  const list = (...items: object[]) => json({ kind: "ServiceList", items });
  const fit = {
    metadata: { name: "bob-svc", namespace: "bob" },
    spec: { type: "ClusterIP", clusterIP: "10.0.0.7", selector: { app: "bob" }, ports: [{ port: 80 }] },
  };

  it("tells what is there now, of each who asks", async () => {
    const look = new SecondLook(settings);
    server.answers("services", list(fit), list());
    assert.deepEqual(await look.at(bob), { state: "ready" });
    const reason = "no Service 'bob-svc' in namespace 'bob'";
    assert.deepEqual(await look.at(bob), { state: "pending", reason });
    const needsPods = member({ member: "bob", type: "user", route: { readiness: { requires: "endpoints" } } });
    server.answers("services", list(fit));
    server.answers("endpointslices", json({ kind: "EndpointSliceList", items: [] }));
    assert.match(Object(await look.at(needsPods)).reason, /^no pod behind port 80 of Service 'bob-svc' is ready/);
  });

  it("begins after it was asked for, and serves those together who have asked meanwhile", async () => {
    const look = new SecondLook(settings);
    const gate = Promise.withResolvers<void>();
    server.answers("services", async (request, response) => {
      await gate.promise;
      list(fit)(request, response);
    });
    const first = look.at(bob);
    const later = [look.at(bob), look.at(alice)];
    gate.resolve();
    assert.equal((await first).state, "ready");
    const states = (await Promise.all(later)).map(({ state }) => state);
    assert.deepEqual(states, ["pending", "pending"]);
  });

  it("takes no refusal for an answer, and looks again for who asks after that", async () => {
    const look = new SecondLook(settings);
    server.answers("services", json({ message: "no" }, 403), list(fit));
    await assert.rejects(look.at(bob), /403/);
    assert.equal((await look.at(bob)).state, "ready");
  });
});
