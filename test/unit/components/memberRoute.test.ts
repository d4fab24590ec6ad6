import assert from "node:assert/strict";
import { Drift } from "../../../plan/live/drift.ts";
import { ca } from "../certificates.ts";
import { textOf } from "../plan/planned.ts";
import { routeObjects } from "../routeObjects.ts";
import { bob, gatewaySettings, oneManager, routeAt } from "../samples.ts";
import { makeEnvironment } from "./environment.ts";
import { registeredBy } from "./recorded.ts";

describe("a member's route at a Gateway", () => {
  const settings = gatewaySettings({ backendProtocol: "HTTPS", backendTls: { ca } });
  const route = routeAt("camp.example.org", "/bob");
  const objects = routeObjects(bob, route, settings);
  const registered = async (drift: Drift) => {
    const all = await registeredBy(() => makeEnvironment({ member: { ...bob, route }, settings, drift }));
    return all.filter(({ name }) => name.startsWith("bob/route/"));
  };

  it("makes a route at a Gateway of objects that are all watched for changes by hand", async () => {
    const made = await registered(new Drift({ managedObjects: new Map() }));
    assert.equal(made.length, 3);
    for (const { name, inputs } of made) {
      assert.match(Object(inputs.metadata).annotations["kubecamp.dev/applied"], /^[0-9a-f]{16}$/, name);
    }
  });

  it("names a changed route at a Gateway, and none for what the API server or the Gateway adds", async () => {
    const live = objects.map(({ part: _, apiVersion: __, kind, metadata, ...content }) => {
      const { name, namespace, labels, annotations = {} } = metadata;
      const status = { parents: [] };
      const managedObject = {
        labels,
        annotations: { ...annotations, ...oneManager },
        resourceVersion: "7",
        applied: undefined,
        content: { ...content, status },
      };
      return [`${kind} ${namespace}/${name}`, managedObject] as const;
    });
    const same = new Drift({ managedObjects: new Map(live) });
    await registered(same);
    assert.equal(textOf(same.findings), undefined);
    const changed = new Drift({
      managedObjects: new Map(
        live.map(([key, managedObject]) => [key, { ...managedObject, content: { spec: { hostnames: [] }, data: {} } }]),
      ),
    });
    await registered(changed);
    assert.deepEqual(textOf(changed.findings)?.split("\n").slice(1), [
      "  ConfigMap bob/kubecamp-backend-ca",
      "  BackendTLSPolicy bob/bob",
      "  HTTPRoute bob/bob",
    ]);
  });
});
