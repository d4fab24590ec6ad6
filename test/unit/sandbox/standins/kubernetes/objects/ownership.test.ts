import { deepEqual } from "node:assert/strict";
import type { Props } from "../../../../../../buckets/protocol/values.ts";
import { takeOver } from "../../../../../../sandbox/standins/kubernetes/objects/ownership.ts";

const entry = (manager: string, operation: string, fieldsV1: Props, more: Props = {}): Props => ({
  ...{ manager, operation, fieldsV1, apiVersion: "v1" },
  ...more,
});
const taken = (...entries: Props[]): unknown => {
  const live = { metadata: { resourceVersion: "7", managedFields: entries } };
  return takeOver(live, "us")[0]?.value;
};

describe("taking over the fields of an earlier manager", () => {
  it("renames it when we own nothing yet", () => {
    const created = entry("pulumi-kubernetes", "Update", { "f:data": { "f:a": {} } });
    deepEqual(taken(created), [entry("us", "Apply", { "f:data": { "f:a": {} } })]);
  });

  it("adds its fields to ours", () => {
    const ours = entry("us", "Apply", { "f:data": { "f:a": {} } });
    const theirs = entry("kubectl-edit", "Update", { "f:data": { ".": {}, "f:b": {} } });
    deepEqual(taken(ours, theirs), [entry("us", "Apply", { "f:data": { ".": {}, "f:a": {}, "f:b": {} } })]);
  });

  it("keeps a field as a member when one of us has only what is below it", () => {
    const ours = entry("us", "Apply", { "f:data": {} });
    const theirs = entry("kubectl", "Apply", { "f:data": { "f:b": {} } });
    deepEqual(taken(ours, theirs), [entry("us", "Apply", { "f:data": { ".": {}, "f:b": {} } })]);
  });

  it("leaves others, and controllers' status, alone", () => {
    const created = entry("pulumi-kubernetes", "Update", { "f:data": {} });
    const status = entry("kubectl-patch", "Update", { "f:status": {} }, { subresource: "status" });
    const other = entry("an-autoscaler", "Update", { "f:spec": {} });
    deepEqual(taken(created, status, other), [status, other, entry("us", "Apply", { "f:data": {} })]);
  });

  it("is nothing to do when there is none", () => {
    deepEqual(takeOver({ metadata: { managedFields: [entry("us", "Apply", {})] } }, "us"), []);
    deepEqual(takeOver({ metadata: {} }, "us"), []);
  });

  it("fails rather than overwrite a change that comes between", () => {
    const live = { metadata: { resourceVersion: "7", managedFields: [entry("kubectl", "Update", {})] } };
    deepEqual(takeOver(live, "us")[1], { op: "replace", path: "/metadata/resourceVersion", value: "7" });
  });
});
