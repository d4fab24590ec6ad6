import assert from "node:assert/strict";
import type { ApiObject } from "../../../../cluster/kinds/liveObject.ts";
import { declaredFields } from "../../../../commands/state/declaredFields.ts";
import { everyObject, sharedObjects } from "../../everyObject.ts";
import { bob, gatewaySettings, settings, traefikSettings } from "../../samples.ts";
import { applied } from "./live.ts";

interface Entry {
  readonly manager: string;
  readonly operation?: string;
  readonly time?: string;
  readonly subresource?: string;
  readonly fieldsV1: object;
}

/** A Deployment with a default of the API server's, a label of kubectl's, and whoever manages its fields. */
const deployment = (annotations: Record<string, string>, ...entries: Entry[]) =>
  ({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: {
      name: "hello",
      namespace: "bob",
      labels: { app: "hello", theirs: "yes" },
      ...(Object.keys(annotations).length > 0 && { annotations }),
      uid: "1",
      managedFields: entries.map((entry) => ({ operation: "Apply", time: "2026-06-01T08:00:00Z", ...entry })),
    },
    spec: {
      replicas: 1,
      template: {
        spec: {
          containers: [
            { name: "theirs", image: "sidecar" },
            { name: "web", image: "nginx:1.28", imagePullPolicy: "IfNotPresent", args: ["-v"] },
          ],
        },
      },
    },
    status: { replicas: 1 },
  }) as unknown as ApiObject;

const label = (name: string) => ({ "f:metadata": { "f:labels": { [`f:${name}`]: {} } } });
const inputs = (rest: object) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  ...rest,
});

describe("what a run last declared of a live object", () => {
  it("is what it had of every kind of object, without what the API server added", () => {
    for (const stack of [settings, gatewaySettings(), traefikSettings({ rewrite: "strip" })]) {
      for (const object of [...everyObject(bob, stack), ...sharedObjects(stack)]) {
        assert.deepEqual(declaredFields(applied(object)), {
          inputs: object,
          fieldManager: "pulumi-kubernetes-0a1b2c3d",
        });
      }
    }
  });

  it("is of a list, where it is a map to the API server, the items and fields of its own", () => {
    // As the official plugin left it: an item is known by its key.
    const container = { ".": {}, "f:image": {}, "f:name": {} };
    const spec = { "f:template": { "f:spec": { "f:containers": { 'k:{"name":"web"}': container } } } };
    const live = deployment(
      {},
      { manager: "pulumi-kubernetes-b3b8b4c5", fieldsV1: { ...label("app"), "f:spec": spec } },
    );
    assert.deepEqual(declaredFields(live), {
      inputs: inputs({
        metadata: { name: "hello", namespace: "bob", labels: { app: "hello" } },
        spec: { template: { spec: { containers: [{ image: "nginx:1.28", name: "web" }] } } },
      }),
      fieldManager: "pulumi-kubernetes-b3b8b4c5",
    });
  });

  it("is what the last of several managers applied, and nothing of others' and of a status", () => {
    const of = (end: string, day: string, fieldsV1: object, more: object = {}) => ({
      ...{ manager: `pulumi-kubernetes-0000000${end}`, time: `2026-06-0${day}T08:00:00Z`, fieldsV1, ...more },
    });
    const live = deployment(
      {},
      of("b", "3", label("app")),
      of("a", "2", label("theirs")),
      of("d", "4", label("theirs"), { manager: "kubectl" }),
      of("c", "4", label("theirs"), { operation: "Update" }),
      of("d", "4", label("theirs"), { subresource: "status" }),
    );
    assert.deepEqual(declaredFields(live), {
      inputs: inputs({ metadata: { name: "hello", namespace: "bob", labels: { app: "hello" } } }),
      fieldManager: "pulumi-kubernetes-0000000b",
    });
  });

  it("is taken to be everything where somebody has removed the managers", () => {
    const { spec } = deployment({});
    const labels = { app: "hello", theirs: "yes" };
    const metadata = { name: "hello", namespace: "bob", labels, annotations: { note: "kept" } };
    const expected = { inputs: inputs({ metadata, spec }), fieldManager: undefined };
    assert.deepEqual(declaredFields(deployment({ note: "kept" })), expected);
  });
});
