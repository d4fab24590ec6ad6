import assert from "node:assert/strict";
import type { ManagedObject } from "../../../../cluster/read/snapshot.ts";
import { starterDeployment } from "../../../../objects/starter/starterDeployment.ts";
import { starterPages } from "../../../../objects/starter/starterPages.ts";
import { Drift } from "../../../../plan/live/drift.ts";
import { additionsToMembers } from "../../../../plan/members/additions.ts";
import { member, oneManager, settings } from "../../samples.ts";
import { applied, compared, planOf, textOf } from "../planned.ts";

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
  const content = { spec: change(filledIn(structuredClone(declared.spec))), status: { availableReplicas: 1 } };
  return applied("Deployment", declared, { content: JSON.parse(JSON.stringify(content)) });
}

const withPod = (spec: Spec, pod: object) => ({
  ...spec,
  template: { ...spec.template, spec: { ...spec.template.spec, ...pod } },
});
const withContainer = (spec: Spec, more: object) =>
  withPod(spec, { containers: spec.template.spec.containers.map((container) => ({ ...container, ...more })) });

const patchesOf = (managedObjects: ReadonlyMap<string, ManagedObject>) =>
  additionsToMembers(planOf([lee], settings, { managedObjects }).members).map(({ patch }) => patch);

function seen(managedObject: ManagedObject) {
  const managedObjects = new Map([[app, managedObject]]);
  const drift = new Drift({ managedObjects });
  drift.marked(compared("Deployment", declared));
  return { warned: textOf(drift.findings) !== undefined, patches: patchesOf(managedObjects) };
}

describe("a starter app that is kept", () => {
  it("takes a kept starter app with fields that an API server fills in for unchanged", () => {
    assert.deepEqual(seen(live()), { warned: false, patches: [] });
    assert.deepEqual(seen(live((spec) => withContainer(spec, { resizePolicy: [] }))), { warned: false, patches: [] });
  });

  const more = { name: "x", image: "x" };

  it("takes a kept starter app for changed by hand that has more in it, or another number of pods", () => {
    for (const change of [
      (spec: Spec) => ({ ...spec, replicas: 0 }),
      (spec: Spec) => withContainer(spec, { env: [{ name: "A", value: "b" }] }),
      (spec: Spec) => withPod(spec, { containers: [...spec.template.spec.containers, more] }),
      (spec: Spec) => withPod(spec, { initContainers: [more] }),
    ]) {
      assert.equal(seen(live(change)).warned, true, String(change));
    }
  });

  it("takes off a kept starter app what applying that again would leave", () => {
    const [patch] = seen(live((spec) => withPod(spec, { initContainers: [more] }))).patches;
    const { initContainers, containers } = Object(patch).spec.template.spec;
    assert.equal(initContainers, null);
    assert.deepEqual(containers, starterDeployment(lee, "kept", settings).spec.template.spec.containers);
  });

  it("takes pages off a kept starter app that stand in for its own, and no others", () => {
    const pages = starterPages(lee, "kept", settings);
    const { data } = pages;
    const of = (content: Record<string, unknown>) =>
      patchesOf(new Map([["ConfigMap lee/starter-pages", applied("ConfigMap", pages, { content })]]));
    const { "index.md": _, ...rest } = data as Record<string, string>;
    assert.deepEqual(of({ data: rest, binaryData: { "index.md": "AAAA" } }), [{ binaryData: null }]);
    assert.deepEqual(of({ data: { ...data, "more.md": "mine" }, binaryData: { "logo.png": "AAAA" } }), []);
    assert.deepEqual(of({ data: rest }), []);
  });
});
