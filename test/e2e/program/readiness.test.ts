import assert from "node:assert/strict";
import { type Entry, useStack } from "./stack.ts";

const member = (name: string, readiness: object): Entry => ({ member: name, type: "user", route: { readiness } });
const managed = { mode: "managed" };

describe("a Service that kubecamp makes", function () {
  this.timeout(120_000);
  const stack = useStack("managed");
  const kubectl = (...args: string[]) => stack.kubectl(...args);
  const serviceOf = async (name: string) => {
    const text = await kubectl("get", "service", `${name}-svc`, "-n", name, "-o", "json");
    return JSON.parse(text) as { metadata: { uid: string }; spec: Record<string, unknown> };
  };

  it("is there before the route, and leads to the pods that a member's Deployment has", async () => {
    await stack.configure([member("mia", managed)]);
    const { steps } = await stack.upFine();
    const order = steps.filter((step) => /mia\/(service|route)/.test(step));
    assert.deepEqual(order, [
      "create kubernetes:core/v1:Service mia/service",
      "create kubernetes:core/v1:Service mia/route/service",
      "create kubernetes:networking.k8s.io/v1:Ingress mia/route/ingress",
    ]);
    const { type, selector, ports } = (await serviceOf("mia")).spec;
    assert.deepEqual(
      { type, selector, ports },
      {
        type: "ClusterIP",
        selector: { app: "mia" },
        ports: [{ name: "http", port: 80, protocol: "TCP", targetPort: 8080 }],
      },
    );
    assert.deepEqual((await stack.upFine()).steps, []);
  });
});
