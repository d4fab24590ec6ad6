import assert from "node:assert/strict";
import type { ManagedObject } from "../../../../cluster/read/snapshot/snapshot.ts";
import { additionsToMembers } from "../../../../plan/compare/additions.ts";
import { Drift } from "../../../../plan/compare/drift.ts";
import { starterDeployment } from "../../../../plan/objects/starter/starterDeployment.ts";
import { starterPages } from "../../../../plan/objects/starter/starterPages.ts";
import { member, oneManager, settings } from "../../samples.ts";
import { compared, planOf, textOf } from "../planned.ts";

const lee = member({ member: "lee", type: "user", starter: "kept" });
const app = "Deployment lee/starter";

const deployment = starterDeployment(lee, "kept", settings);
const { metadata: own } = deployment;
/** As it is planned. */
const declared = { ...deployment, metadata: { ...own, annotations: { ...own.annotations, ...oneManager } } };

type Spec = ReturnType<typeof starterDeployment>["spec"];

/** As the API server has it: with all that is left out filled in, also in the entries of lists. */
function filledIn(spec: Spec): Spec {
  const { template } = spec;
  const containers = template.spec.containers.map((container) => ({
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
    imagePullPolicy: "IfNotPresent",
    ...container,
    readinessProbe: { successThreshold: 1, failureThreshold: 3, ...container.readinessProbe },
  }));
  const [pages, scratch] = template.spec.volumes;
  const volumes = [{ ...pages, configMap: { ...Object(pages).configMap, defaultMode: 420 } }, scratch];
  const pod = { restartPolicy: "Always", dnsPolicy: "ClusterFirst", ...template.spec, containers, volumes };
  return { ...{ progressDeadlineSeconds: 600 }, ...spec, template: { ...template, spec: pod } } as Spec;
}

/** A starter app that a run has applied, and somebody changed. */
function live(change: (spec: Spec) => object = (spec) => spec): ManagedObject {
  const { metadata, ...fields } = new Drift({ managedObjects: new Map() }).marked(compared("Deployment", declared));
  const { annotations } = metadata as { annotations: Record<string, string> };
  const content = { spec: change(filledIn(structuredClone(fields.spec))), status: { availableReplicas: 1 } };
  return {
    ...{ labels: metadata.labels, annotations, resourceVersion: "7", applied: annotations["kubecamp.dev/applied"] },
    content: JSON.parse(JSON.stringify(content)),
  };
}

const withPod = (spec: Spec, pod: object) => ({
  ...spec,
  template: { ...spec.template, spec: { ...spec.template.spec, ...pod } },
});
const withContainer = (spec: Spec, more: object) =>
  withPod(spec, { containers: spec.template.spec.containers.map((container) => ({ ...container, ...more })) });

function seen(managedObject: ManagedObject) {
  const managedObjects = new Map([[app, managedObject]]);
  const drift = new Drift({ managedObjects });
  drift.marked(compared("Deployment", declared));
  const patches = additionsToMembers(planOf([lee], settings, { managedObjects }).members).map(({ patch }) => patch);
  return { warned: textOf(drift.findings) !== undefined, patches };
}

describe("a starter app that is kept", () => {
  it("takes a kept starter app with fields that an API server fills in for unchanged", () => {
    assert.deepEqual(seen(live()), { warned: false, patches: [] });
    assert.deepEqual(seen(live((spec) => withContainer(spec, { resizePolicy: [] }))), { warned: false, patches: [] });
  });

  for (const [what, change] of [
    ["another number of pods", (spec: Spec) => ({ ...spec, replicas: 0 })],
    ["a variable more", (spec: Spec) => withContainer(spec, { env: [{ name: "A", value: "b" }] })],
    [
      "a container more",
      (spec: Spec) => withPod(spec, { containers: [...spec.template.spec.containers, { name: "x", image: "x" }] }),
    ],
    ["an init container", (spec: Spec) => withPod(spec, { initContainers: [{ name: "x", image: "x" }] })],
  ] as const) {
    it(`takes a kept starter app for changed by hand that has ${what}`, () => {
      assert.equal(seen(live(change)).warned, true);
    });
  }

  it("takes off a kept starter app what applying that again would leave", () => {
    const [patch] = seen(live((spec) => withPod(spec, { initContainers: [{ name: "x", image: "x" }] }))).patches;
    const { initContainers, containers } = Object(patch).spec.template.spec;
    assert.equal(initContainers, null);
    assert.deepEqual(containers, starterDeployment(lee, "kept", settings).spec.template.spec.containers);
  });

  it("takes pages off a kept starter app that stand in for its own, and no others", () => {
    const { data } = starterPages(lee, "kept", settings);
    const of = (content: object) => {
      const { metadata } = new Drift({ managedObjects: new Map() }).marked(
        compared("ConfigMap", starterPages(lee, "kept", settings)),
      );
      const { labels, annotations } = metadata;
      const applied = (annotations as Record<string, string>)["kubecamp.dev/applied"];
      const pages = { labels, annotations, resourceVersion: "7", applied, content: { ...content } };
      const managedObjects = new Map<string, ManagedObject>([["ConfigMap lee/starter-pages", pages]]);
      return additionsToMembers(planOf([lee], settings, { managedObjects }).members).map(({ patch }) => patch);
    };
    const { "index.md": _, ...rest } = data as Record<string, string>;
    assert.deepEqual(of({ data: rest, binaryData: { "index.md": "AAAA" } }), [{ binaryData: null }]);
    assert.deepEqual(of({ data: { ...data, "more.md": "mine" }, binaryData: { "logo.png": "AAAA" } }), []);
    assert.deepEqual(of({ data: rest }), []);
  });
});
