import assert from "node:assert/strict";
import { policyOf } from "../../../../objects/admission/policies.ts";
import { refusalsOf } from "../../cel.ts";
import { settings } from "../../samples.ts";

const key = "haproxy.org/path-rewrite";
const policy = policyOf("services", settings);
const service = (annotations: Readonly<Record<string, string>>) => ({
  kind: "Service",
  metadata: { name: "bob-svc", annotations },
  spec: { type: "ClusterIP", ports: [{ port: 80, protocol: "TCP" }] },
});
const refused = (now: object, before: object | null, isPlatform = false) =>
  refusalsOf(policy, { request: {}, object: now, oldObject: before, isPlatform }).length > 0;

describe("what members' Services say to controllers", () => {
  it("refuses an annotation of a controller's that is new or has changed, also one without a value", () => {
    for (const [now, before, expected] of [
      [service({ [key]: "x" }), null, true],
      [service({ [key]: "" }), null, true],
      [service({ [key]: "" }), service({}), true],
      [service({ [key]: "y" }), service({ [key]: "x" }), true],
      [service({ [key]: "x" }), service({ [key]: "x" }), false],
      [service({}), service({ [key]: "x" }), false],
      [service({ "example.org/path-rewrite": "x" }), null, false],
    ] as const) {
      assert.equal(refused(now, before), expected, JSON.stringify([now, before]));
    }
    assert.equal(refused(service({ [key]: "x" }), null, true), false);
  });
});
