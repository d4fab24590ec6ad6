import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { objectsOf } from "../../../../../scaffold/bench/stage/objects.ts";

const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "ada" } };
const quota = {
  apiVersion: "v1",
  kind: "ResourceQuota",
  metadata: { name: "quota", namespace: "ada" },
  spec: { hard: {} },
};

describe("what kubectl gets of a stack", () => {
  it("is its objects alone, in their order, without what Pulumi notes in them", () => {
    const resources = [
      { type: "pulumi:pulumi:Stack" },
      { type: "pulumi:providers:kubernetes", custom: true, inputs: { version: "4.34.2" } },
      { type: "kubecamp:index:MemberEnvironment", inputs: {} },
      { type: "kubernetes:core/v1:Namespace", custom: true, inputs: { ...namespace, __defaults: [] } },
      { type: "kubernetes:core/v1:ResourceQuota", custom: true, inputs: quota },
    ];
    assert.deepEqual(objectsOf({ deployment: { resources } }), {
      apiVersion: "v1",
      kind: "List",
      items: [namespace, quota],
    });
  });

  it("is nothing of a stack that has nothing", () => {
    assert.deepEqual(objectsOf({ deployment: {} }).items, []);
  });
});
