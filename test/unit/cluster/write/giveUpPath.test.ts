import assert from "node:assert/strict";
import { giveUpPaths } from "../../../../cluster/write/giveUpPath.ts";
import { settings } from "../../samples.ts";
import { json, useApiServer } from "../fakeApiServer.ts";

describe("a path that is given up", () => {
  const server = useApiServer();
  const list = (...items: object[]) => json({ kind: "IngressList", items });
  const at = (path: string, resourceVersion: string) => ({
    metadata: { name: "ann", namespace: "ingress-nginx", resourceVersion },
    spec: { ingressClassName: "nginx", rules: [{ host: "camp.test", http: { paths: [{ path }] } }] },
  });
  const url = "https://camp.test/ann/";
  const given = [{ kind: "Ingress" as const, name: "ann", namespace: "ingress-nginx", url, taker: "ben" }];
  /** Requests that wrote. */
  const written = async () => {
    await giveUpPaths(given, settings);
    return server.writes.map(({ method, contentType, body }) => ({ method, contentType, ...JSON.parse(body) }));
  };
  const parked = (resourceVersion: string) => ({
    method: "PATCH",
    contentType: "application/merge-patch+json",
    metadata: { resourceVersion },
    spec: { ingressClassName: "kubecamp-parked" },
  });
  const one = "ann";

  it("gives up a path by taking the controller off the Ingress that was looked at", async () => {
    server.answers("ingresses", list(at("/ann", "7")));
    server.answers(one, json({}));
    assert.deepEqual(await written(), [parked("7")]);
  });

  it("gives up no path where the run has moved or deleted its Ingress already", async () => {
    server.answers("ingresses", list(at("/ben", "8")), list());
    assert.deepEqual(await written(), []);
    assert.deepEqual(await written(), []);
  });

  it("looks at a path to give up again where somebody has changed the Ingress meanwhile", async () => {
    server.answers("ingresses", list(at("/ann", "7")), list(at("/ann", "8")));
    server.answers(one, json({ message: "the object has been modified" }, 409), json({}));
    assert.deepEqual(await written(), [parked("7"), parked("8")]);
  });

  it("looks at a path to give up five times at most, and tells the reason", async () => {
    server.answers("ingresses", ...Array.from({ length: 6 }, () => list(at("/ann", "7"))));
    server.answers(one, ...Array.from({ length: 6 }, () => json({ message: "no, says a webhook" }, 409)));
    await assert.rejects(giveUpPaths(given, settings), /give up its path to member 'ben'[\s\S]*no, says a webhook/);
    assert.equal(server.writes.length, 5);
  });
});
