import assert from "node:assert/strict";
import { hostPathsOf, urlsOf } from "../../../../cluster/read/hostPaths.ts";

const backend = (number: number) => ({ service: { name: "bob-svc", port: { number } } });
const ingress = {
  spec: {
    rules: [
      { host: "camp.test", http: { paths: [{ path: "/bob", backend: backend(443) }, { backend: backend(80) }] } },
      { http: { paths: [{ path: "/lab" }] } },
      { host: "idle.test" },
    ],
  },
};
const httpRoute = {
  spec: {
    hostnames: ["camp.test", "lab.test"],
    rules: [
      { matches: [{ path: { type: "PathPrefix", value: "/bob" } }, {}], backendRefs: [{ name: "bob-svc", port: 443 }] },
    ],
  },
};

describe("what a route opens", () => {
  it("finds every path of an Ingress at its host", () => {
    assert.deepEqual(hostPathsOf(ingress), [
      { host: "camp.test", path: "/bob" },
      { host: "camp.test", path: "/" },
      { host: "*", path: "/lab" },
    ]);
  });

  it("finds every match of an HTTPRoute at each of its hosts", () => {
    assert.deepEqual(hostPathsOf(httpRoute), [
      { host: "camp.test", path: "/bob" },
      { host: "lab.test", path: "/bob" },
      { host: "camp.test", path: "/" },
      { host: "lab.test", path: "/" },
    ]);
    assert.deepEqual(hostPathsOf({ spec: { rules: [{ matches: [{ path: { value: "/x" } }] }] } }), [
      { host: "*", path: "/x" },
    ]);
  });

  it("finds no path in an empty route", () => {
    assert.deepEqual(hostPathsOf({}), []);
  });

  it("tells a route by the address in its annotation, or else by its hosts and paths", () => {
    assert.deepEqual(urlsOf({ annotations: { "kubecamp.dev/url": "https://camp.test/bob/" }, content: ingress }), [
      "https://camp.test/bob/",
    ]);
    assert.deepEqual(urlsOf({ annotations: {}, content: { spec: { rules: ingress.spec.rules.slice(0, 1) } } }), [
      "https://camp.test/bob/",
      "https://camp.test/",
    ]);
  });
});
