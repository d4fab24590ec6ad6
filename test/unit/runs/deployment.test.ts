import assert from "node:assert/strict";
import { resourcesIn, rootOf } from "../../../runs/state/deployment.ts";

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
  it("has no resources of members where it has none but what every run begins with", () => {
    const known = [undefined, [stack, provider], [stack, provider, namespace]].map((resources) =>
      resourcesIn({ deployment: { manifest: {}, ...(resources && { resources }) } }),
    );
    assert.deepEqual(known, [[], [], [namespace]]);
  });

  it("finds a state's stack and provider once both are made", () => {
    assert.deepEqual([rootOf(state()), rootOf(state(stack))], [undefined, undefined]);
    assert.deepEqual(rootOf(state(stack, provider)), { stack: stack.urn, provider });
  });
});
