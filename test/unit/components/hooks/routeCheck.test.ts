import assert from "node:assert/strict";
import { readinessNow } from "../../../../components/hooks/routeCheck.ts";
import type { Member } from "../../../../config/member/member.ts";
import { json, useApiServer } from "../../cluster/fakeApiServer.ts";
import { bob, member, settings } from "../../samples.ts";

describe("a second look at a member's Service", () => {
  const server = useApiServer();
  const list = (kind: string, ...items: object[]) => json({ kind: `${kind}List`, items });
  const look = async (at: Member) => (await readinessNow([at], settings)).get(at.name);
  const fit = {
    metadata: { name: "bob-svc", namespace: "bob" },
    spec: { type: "ClusterIP", clusterIP: "10.0.0.7", selector: { app: "bob" }, ports: [{ port: 80 }] },
  };

  it("looks at a member's Service a second time, and takes no refusal for an answer", async () => {
    server.answers("services", list("Service", fit), list("Service"), json({ message: "no" }, 403));
    assert.deepEqual(await look(bob), { state: "ready" });
    assert.deepEqual(await look(bob), { state: "pending", reason: "no Service 'bob-svc' in namespace 'bob'" });
    await assert.rejects(look(bob), /403/);
  });

  it("looks behind a Service again where pods must be ready, or nothing but pods can answer", async () => {
    const needsPods = member({ member: "bob", type: "user", route: { readiness: { requires: "endpoints" } } });
    const headless = { ...fit, spec: { ...fit.spec, clusterIP: "None" } };
    const slice = {
      metadata: { name: "x", namespace: "bob", labels: { "kubernetes.io/service-name": "bob-svc" } },
      endpoints: [{ addresses: ["10.1.0.1"], conditions: { ready: true } }],
      ports: [{ port: 80, protocol: "TCP" }],
    };
    for (const [who, service] of [
      [needsPods, fit],
      [bob, headless],
    ] as const) {
      server.answers("services", list("Service", service), list("Service", service));
      server.answers("endpointslices", list("EndpointSlice"), list("EndpointSlice", slice));
      assert.equal((await look(who))?.state, "pending");
      assert.deepEqual(await look(who), { state: "ready" });
    }
  });
});
