import assert from "node:assert/strict";
import { storageClassesAnnotation } from "../../../../../../naming/labels.ts";
import { policyNamesOf } from "../../../../../../naming/names.ts";
import { amountsPolicy } from "../../../../../../plan/objects/admission/amountsPolicy.ts";
import { devicesPolicy } from "../../../../../../plan/objects/admission/confined/devicesPolicy.ts";
import { storagePolicy } from "../../../../../../plan/objects/admission/confined/storagePolicy.ts";
import { finalizersPolicy } from "../../../../../../plan/objects/admission/finalizersPolicy.ts";
import { podSpecRequests } from "../../../../../../plan/objects/admission/podSpecs.ts";
import { refusalsOf } from "../../../../cel.ts";
import { configuration, settings } from "../../../../samples.ts";

const of = (type: object) => configuration({ members: [], memberTypes: { gpu: type } }).settings;
const claims = { apiGroups: ["resource.k8s.io"], resources: ["resourceclaims", "resourceclaimtemplates"] };
const rulesOf = ({ spec }: ReturnType<typeof devicesPolicy>) =>
  spec.matchConstraints.resourceRules.map(({ apiGroups, resources }) => ({ apiGroups, resources }));

// test/e2e/isolation/pools.test.ts tries them on the API server.
describe("the policies on devices and storage", () => {
  it("are there where a type or a member sets what they hold, after those that every stack has", () => {
    const usual = policyNamesOf(settings);
    assert.deepEqual(policyNamesOf(of({ storage: {} })), [...usual, "storage"]);
    assert.deepEqual(policyNamesOf(of({ storage: {}, devices: {} })), [...usual, "devices", "storage"]);
  });

  it("judge whatever pods are made of, and what asks for devices and volumes", () => {
    assert.deepEqual(rulesOf(devicesPolicy(settings)), [...podSpecRequests, claims]);
    assert.deepEqual(rulesOf(storagePolicy(settings)), [{ apiGroups: [""], resources: ["persistentvolumeclaims"] }]);
  });

  it("say whom to ask", () => {
    for (const policy of [devicesPolicy(settings), storagePolicy(settings)]) {
      for (const { messageExpression } of policy.spec.validations) {
        assert.match(messageExpression, /, or ask your cluster's admin"$/);
      }
    }
  });

  it("let a claim name no VolumeAttributesClass, unless it did before or the namespace is not held", () => {
    const claim = (volumeAttributesClassName?: string) => ({
      metadata: { name: "data" },
      spec: {
        storageClassName: "fast",
        ...(volumeAttributesClassName === undefined ? {} : { volumeAttributesClassName }),
      },
    });
    const namespaceObject = { metadata: { annotations: { [storageClassesAnnotation]: "fast" } } };
    const refusals = (object: object, oldObject: object | null, more: object = { namespaceObject }) =>
      refusalsOf(storagePolicy(settings), {
        request: { namespace: "ann" },
        object,
        oldObject,
        namespaceObject,
        ...more,
      });
    const refused = (name: string) => [
      `PersistentVolumeClaim 'data' has the VolumeAttributesClass '${name}', and namespace 'ann' may have none: leave ` +
        "volumeAttributesClassName out, or ask your cluster's admin",
    ];
    assert.deepEqual(refusals(claim("gold"), null), refused("gold"));
    assert.deepEqual(refusals(claim("gold"), claim()), refused("gold"));
    assert.deepEqual(refusals(claim("gold"), claim("silver")), refused("gold"));
    assert.deepEqual(refusals(claim("gold"), claim("gold")), []);
    assert.deepEqual([refusals(claim(), null), refusals(claim(""), null)], [[], []]);
    assert.deepEqual(refusals(claim("gold"), null, { namespaceObject: { metadata: {} } }), []);
  });

  it("have claims judged as all that members make, where members make any", () => {
    const extended = of({ devices: { "nvidia.com/gpu": 1 } });
    const dra = of({ devices: { "gpu.example.com": 1 } });
    for (const policy of [amountsPolicy, finalizersPolicy]) {
      const isAmong = (stack: typeof dra) =>
        rulesOf(policy(stack)).some(({ apiGroups }) => apiGroups.includes("resource.k8s.io"));
      assert.deepEqual([settings, extended, dra].map(isAmong), [false, false, true]);
    }
  });
});
