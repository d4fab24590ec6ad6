import assert from "node:assert/strict";
import { namespace } from "../../../objects/namespace.ts";
import { atOnce, bob, configuration, labelsOf, member, settings } from "../samples.ts";

/** No run waits for its deletion either. */
const unawaited = { ...atOnce, "pulumi.com/skipAwait": "true" };

describe("namespace", () => {
  it("gives a namespace the member's name, ownership labels and a pinned Pod Security Standard", () => {
    assert.deepEqual(namespace(bob, settings), {
      metadata: {
        name: "bob",
        annotations: { ...unawaited, "kubecamp.dev/priority-classes": "", "kubecamp.dev/max-pods": "50" },
        labels: {
          ...labelsOf("bob"),
          "kubecamp.dev/type": "user",
          "kubecamp.dev/traits": "edit.view.quota",
          "kubecamp.dev/standing": "active",
          "pod-security.kubernetes.io/enforce": "baseline",
          "pod-security.kubernetes.io/enforce-version": "v1.36",
          "pod-security.kubernetes.io/warn": "restricted",
          "pod-security.kubernetes.io/warn-version": "v1.36",
        },
      },
    });
  });

  it("says on a namespace that its member is protected, for the run after they have left", () => {
    const { labels } = namespace({ ...bob, protect: true }, settings).metadata;
    assert.deepEqual(labels, { ...namespace(bob, settings).metadata.labels, "kubecamp.dev/protected": "true" });
  });

  it("says on a namespace how its member stands, until when, and that there is no path", () => {
    const entry = { member: "bob", type: "user", route: false, expires: "2026-06-14" };
    const { labels } = namespace(member(entry), settings).metadata;
    assert.deepEqual(labels, {
      ...namespace(bob, settings).metadata.labels,
      "kubecamp.dev/standing": "expired",
      "kubecamp.dev/expires": "2026-06-14",
      "kubecamp.dev/route": "none",
    });
  });

  it("says on a namespace what the path needs, except the defaults", () => {
    const labelOf = (route: object, ofMember: object = {}) => {
      const { settings, members } = configuration({
        members: [{ member: "bob", type: "user", route: ofMember }],
        route: { host: "camp.example.org", ...route },
      });
      return members.map((each) => namespace(each, settings).metadata.labels["kubecamp.dev/route"]);
    };
    const endpoints = { readiness: { requires: "endpoints" } };
    assert.deepEqual(labelOf({}), [undefined]);
    assert.deepEqual(labelOf(endpoints, { readiness: { requires: "service", mode: "managed" } }), [undefined]);
    assert.deepEqual(labelOf({}, endpoints), ["80.endpoints"]);
    assert.deepEqual(labelOf({ backendProtocol: "HTTPS" }), ["443.service"]);
    assert.deepEqual(labelOf({ ...endpoints, backendProtocol: "HTTPS" }), ["443.endpoints"]);
  });

  it("marks no archive on a listed member's namespace, and takes the old mark off who comes back", () => {
    const offboarding = { archive: { bucket: "kept", secrets: false, volumes: "retain" } } as const;
    assert.deepEqual(namespace(bob, { ...settings, offboarding }).metadata.annotations, {
      ...namespace(bob, settings).metadata.annotations,
      "kubecamp.dev/archive": "",
    });
  });

  it("says on a namespace whether its pods get something filled in", () => {
    const labelsWith = (runtimeClasses: object) =>
      namespace(member({ member: "bob", type: "user", runtimeClasses }), settings).metadata.labels;
    const usual = namespace(bob, settings).metadata.labels;
    assert.deepEqual(labelsWith({ allowed: ["gvisor"] }), usual);
    const filled = labelsWith({ allowed: ["gvisor"], default: "gvisor" });
    assert.deepEqual(filled, { ...usual, "kubecamp.dev/fills-in": "true" });
  });

  it("gives a namespace what its admission policies go by", () => {
    const none = { ...unawaited, "kubecamp.dev/priority-classes": "", "kubecamp.dev/max-pods": "50" };
    const annotationsOf = (entry: object) =>
      namespace(member({ member: "bob", type: "user", ...entry }), settings).metadata.annotations;
    assert.deepEqual(annotationsOf({ images: ["nginx", "ghcr.io/acme/*"], priorityClasses: ["low", "batch"] }), {
      ...none,
      "kubecamp.dev/images": "nginx\nghcr.io/acme/*",
      "kubecamp.dev/image-rules": "docker.io/library/nginx\nghcr.io/acme/",
      "kubecamp.dev/priority-classes": "low,batch",
    });
    const nothing = { "kubecamp.dev/images": "", "kubecamp.dev/image-rules": "" };
    assert.deepEqual(annotationsOf({ images: [] }), { ...none, ...nothing });
    assert.deepEqual(annotationsOf({ images: ["*"] }), { ...none, "kubecamp.dev/images": "*" });
    assert.deepEqual(annotationsOf({}), none);
    const devices = { "nvidia.com/gpu": 1, "amd.com/gpu": 0, "gpu.example.com": 2 };
    assert.deepEqual(annotationsOf({ devices, storage: { bulk: 0 } }), {
      ...none,
      "kubecamp.dev/devices": "gpu.example.com,nvidia.com/gpu",
      "kubecamp.dev/storage-classes": "",
    });
    assert.deepEqual(annotationsOf({ runtimeClasses: { allowed: ["gvisor", "kata"], default: "kata" } }), {
      ...none,
      "kubecamp.dev/runtime-classes": "gvisor,kata",
      "kubecamp.dev/default-runtime-class": "kata",
    });
    const pool = { nodeSelector: { pool: "gpu" }, tolerations: [{ key: "dedicated", value: "gpu" }] };
    assert.deepEqual(annotationsOf({ pool }), { ...none, "kubecamp.dev/pool": "pool=gpu dedicated=gpu" });
    const required = annotationsOf({ userNamespaces: "required" });
    assert.deepEqual(required, { ...none, "kubecamp.dev/user-namespaces": "required" });
    const atOnceOf = (entry: object) => annotationsOf(entry)["kubecamp.dev/max-pods"];
    assert.equal(atOnceOf({ maxPods: 7 }), "7");
    // A type without a quota.
    assert.equal(atOnceOf({ type: "admin" }), "1000");
    assert.equal(atOnceOf({ type: "admin", maxPods: 5000 }), "5000");
  });
});
