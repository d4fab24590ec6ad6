import assert from "node:assert/strict";
import type { V1EndpointSlice } from "@kubernetes/client-node";
import { LiveObjects } from "../../../../watch/live/liveObjects.ts";
import { configuration, labelsOf } from "../../samples.ts";
import { fitService, type Live, LiveStack, put } from "./liveStack.ts";

const stack = new LiveStack(configuration({ members: [{ member: "bob", type: "user" }] }));
const { settings, members } = stack.configuration;
const filled = () => {
  const live = new LiveObjects({ settings, members });
  for (const [key, object] of stack.objects) {
    put(live, key, object);
  }
  return live;
};
/** An object of the stack, changed, and of another version as every changed object is. */
const changed = (key: string, change: (live: Live) => object) => {
  const copy = stack.copy();
  copy.change(key, change);
  copy.mark(key, { resourceVersion: "2" });
  return copy.objects.get(key);
};
const slice = (name: string, ready: boolean): V1EndpointSlice => ({
  addressType: "IPv4",
  metadata: { name, namespace: "bob", labels: { "kubernetes.io/service-name": "bob-svc" } },
  endpoints: [{ addresses: ["10.1.0.1"], conditions: { ready } }],
  ports: [{ name: "", port: 8080, protocol: "TCP" }],
});
const service = "Service bob/bob-svc";

describe("live objects", () => {
  const idle: [what: string, key: string, change: (live: Live) => object][] = [
    ["a quota's use", "ResourceQuota bob/quota", () => ({ status: { used: { pods: "9" } } })],
    ["a Service's status", service, () => ({ status: { conditions: [] } })],
    ["a namespace's finalizers", "Namespace bob", ({ metadata }) => ({ metadata: { ...metadata, finalizers: ["x"] } })],
  ];
  for (const [what, key, change] of idle) {
    it(`takes no notice of a change of ${what}`, () => {
      assert.equal(put(filled(), key, changed(key, change)), false);
    });
  }

  const telling: [what: string, key: string, change: (live: Live) => object][] = [
    ["a quota's limits", "ResourceQuota bob/quota", () => ({ spec: { hard: { pods: "9" } } })],
    [
      "a Service's port",
      service,
      ({ spec }) => ({ spec: { ...Object(spec), ports: [{ port: 81, protocol: "TCP" }] } }),
    ],
    [
      "where the twin leads",
      "Service ingress-nginx/bob-svc",
      ({ spec }) => ({ spec: { ...Object(spec), externalName: "x" } }),
    ],
    [
      "a namespace's end",
      "Namespace bob",
      ({ metadata }) => ({ metadata: { ...metadata, deletionTimestamp: new Date() } }),
    ],
  ];
  for (const [what, key, change] of telling) {
    it(`tells of a change of ${what}`, () => {
      assert.equal(put(filled(), key, changed(key, change)), true);
    });
  }

  it("tells of a quota once a kind has no room any more, and once there is some again", () => {
    const live = filled();
    const used = (configMaps: string, pods: string) =>
      changed("ResourceQuota bob/quota", () => ({
        status: { hard: { "count/configmaps": "10", pods: "5" }, used: { "count/configmaps": configMaps, pods } },
      }));
    const reported = (configMaps: string, pods = "0") => put(live, "ResourceQuota bob/quota", used(configMaps, pods));
    assert.deepEqual([reported("3"), reported("9"), reported("9", "5")], [false, false, false]);
    assert.deepEqual([reported("10"), reported("11"), reported("9")], [true, false, true]);
  });

  it("tells of live objects that come and go", () => {
    for (const [key, object] of stack.objects) {
      const live = filled();
      assert.deepEqual([put(live, key, undefined), put(live, key, object)], [true, true], key);
    }
  });

  it("takes no notice of objects in namespaces that are no member's", () => {
    const live = filled();
    const before = live.snapshot();
    const elsewhere = (metadata: object) => ({ metadata: { ...metadata, namespace: "eve" } });
    const noticed = [
      live.putNamespace("eve", { metadata: { name: "eve" } }),
      live.putService("eve/eve-svc", elsewhere({ name: "eve-svc" })),
      live.putSlice("eve/eve-svc-1", { ...slice("eve-svc-1", true), ...elsewhere({ name: "eve-svc-1" }) }),
    ];
    assert.deepEqual([noticed, live.snapshot()], [[false, false, false], before]);
  });

  it("keeps a leaver's namespace that is being deleted until that is gone", () => {
    const live = filled();
    const eve = (labels: object, metadata: object = { deletionTimestamp: new Date() }) =>
      live.putNamespace("eve", { metadata: { name: "eve", labels: { ...labels }, ...metadata } });
    const isKept = () => live.snapshot().managedObjects.get("Namespace eve")?.terminating;
    assert.deepEqual([eve(labelsOf("eve"), {}), isKept()], [false, undefined]);
    assert.deepEqual([eve({ ...labelsOf("eve"), "kubecamp.dev/stack": "prod" }), isKept()], [false, undefined]);
    assert.deepEqual([eve({ ...labelsOf("eve"), "kubecamp.dev/verify": "dev" }), isKept()], [false, undefined]);
    assert.deepEqual([eve(labelsOf("eve")), isKept()], [true, true]);
    const status = { conditions: [{ type: "NamespaceContentRemaining", status: "True" }] };
    const held = { metadata: { name: "eve", labels: labelsOf("eve"), deletionTimestamp: new Date() }, status };
    assert.deepEqual([live.putNamespace("eve", held), live.putNamespace("eve", held)], [true, false]);
    assert.deepEqual([live.putNamespace("eve", undefined), isKept()], [true, undefined]);
  });

  it("knows what is behind a Service, whichever comes first, and tells when that changes", () => {
    const live = new LiveObjects({ settings, members });
    const ports = () => live.snapshot().services.get("bob/bob-svc")?.readyPorts;
    const [bob] = members;
    assert.ok(bob);
    const reported = [
      live.putSlice("bob/a", slice("a", true)),
      live.putService("bob/bob-svc", fitService(bob, stack.configuration)),
    ];
    assert.deepEqual([reported, ports()], [[false, true], [{ name: "", port: 8080 }]]);
    assert.deepEqual([live.putSlice("bob/a", slice("a", false)), ports()], [true, []]);
    assert.deepEqual([live.putSlice("bob/b", slice("b", false)), ports()], [false, []]);
    assert.deepEqual([live.putSlice("bob/b", slice("b", true)), ports()], [true, [{ name: "", port: 8080 }]]);
    assert.deepEqual([live.putSlice("bob/b", undefined), ports()], [true, []]);
  });

  it("gives an unchanging picture of live objects, and another only after a change", () => {
    const live = filled();
    const before = live.snapshot();
    assert.equal(live.snapshot(), before);
    put(live, service, undefined);
    assert.deepEqual([before.services.has("bob/bob-svc"), live.snapshot().services.has("bob/bob-svc")], [true, false]);
  });
});
