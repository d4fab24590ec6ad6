import assert from "node:assert/strict";
import { resourcesIn, rootOf, withResources } from "../../../runs/state/deployment.ts";

const of = (type: string, name: string) => ({
  urn: `urn:pulumi:dev::kubecamp::${type}::${name}`,
  type,
  custom: true,
  id: "1",
});
const stack = of("pulumi:pulumi:Stack", "kubecamp-dev");
const provider = of("pulumi:providers:kubernetes", "cluster");
const namespace = of("kubernetes:core/v1:Namespace", "bob/namespace");
const state = (...resources: object[]) => ({ version: 3, deployment: { manifest: {}, resources } });

describe("a state", () => {
  it("is lost where it has no resources, or none but what a rebuild begins with", () => {
    assert.deepEqual(resourcesIn({ deployment: { manifest: {} } }), []);
    assert.deepEqual(resourcesIn(state(stack, provider)), []);
    assert.deepEqual(resourcesIn(state(stack, provider, namespace)), [namespace]);
  });

  it("has what resources hang on once Pulumi has made it", () => {
    assert.equal(rootOf(state()), undefined);
    assert.equal(rootOf(state(stack)), undefined);
    assert.deepEqual(rootOf(state(stack, provider)), { stack: stack.urn, provider });
  });

  it("keeps what it has when it is filled, and has the rest after it", () => {
    assert.deepEqual(withResources(state(stack, provider), [namespace]), state(stack, provider, namespace));
  });
});
