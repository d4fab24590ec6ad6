import assert from "node:assert/strict";
import { sharedObjects } from "../../../../../../plan/manifest/manifest.ts";
import { fillIn, fillInBinding } from "../../../../../../plan/objects/admission/confined/fillIn.ts";
import { atOnce, configuration, settings } from "../../../../samples.ts";

const runtimeClasses = { allowed: ["gvisor"], default: "gvisor" };
const stack = configuration({ members: [], memberTypes: { safe: { runtimeClasses } } }).settings;

// test/e2e/isolation/admission/pools.ts tries it on the API server.
describe("the policy that fills in what pods leave out", () => {
  const { metadata, spec } = fillIn(stack);
  const binding = fillInBinding(stack);

  it("is the stack's own, and in force for those who have something to fill in", () => {
    const labels = {
      "app.kubernetes.io/managed-by": "kubecamp",
      "app.kubernetes.io/part-of": "kubecamp",
      "kubecamp.dev/stack": "dev",
    };
    const own = { name: "kubecamp-fill-in-dev", labels, annotations: atOnce };
    assert.deepEqual([metadata, binding.metadata], [own, own]);
    assert.deepEqual(binding.spec, {
      policyName: "kubecamp-fill-in-dev",
      matchResources: {
        matchPolicy: "Equivalent",
        namespaceSelector: { matchLabels: { "kubecamp.dev/stack": "dev", "kubecamp.dev/fills-in": "true" } },
        objectSelector: {},
      },
    });
  });

  it("changes the pod's spec alone", () => {
    assert.deepEqual(spec.mutations, [
      {
        patchType: "JSONPatch",
        jsonPatch: {
          expression:
            "variables.runtimeClass == '' || variables.pod.?runtimeClassName.hasValue() ? [] : [JSONPatch{op: 'add', path: variables.path + '/runtimeClassName', value: variables.runtimeClass}]",
        },
      },
    ]);
  });

  it("is there where the API server can, and a type has something to fill in", () => {
    const isThere = (of: typeof stack, mutates?: boolean) =>
      sharedObjects(of, mutates).some(({ kind }) => kind === "MutatingAdmissionPolicy");
    assert.deepEqual([isThere(stack, true), isThere(stack, false), isThere(stack)], [true, false, false]);
    assert.equal(isThere(settings, true), false);
  });
});
