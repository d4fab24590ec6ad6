import assert from "node:assert/strict";
import { devicesAnnotation } from "../../../../../config/names/labels.ts";
import { policyNamesOf } from "../../../../../config/names/names.ts";
import { podSpecRequests } from "../../../../../objects/admission/podSpecs.ts";
import { policyOf } from "../../../../../objects/admission/policies.ts";
import { refusalsOf } from "../../../cel.ts";
import { configuration, settings } from "../../../samples.ts";

const of = (type: object) => configuration({ members: [], memberTypes: { gpu: type } }).settings;
const claims = { apiGroups: ["resource.k8s.io"], resources: ["resourceclaims", "resourceclaimtemplates"] };
const rulesOf = ({ spec }: ReturnType<typeof policyOf>) =>
  spec.matchConstraints.resourceRules.map(({ apiGroups, resources }) => ({ apiGroups, resources }));

// test/e2e/isolation/admission/pools.ts tries them on the API server.
describe("the policy on devices", () => {
  it("makes a policy on devices where a type or a member sets some, after those of every stack", () => {
    const usual = policyNamesOf(settings);
    assert.deepEqual([of({ storage: {} }), of({ devices: {} })].map(policyNamesOf), [usual, [...usual, "devices"]]);
  });

  it("judges devices in whatever pods are made of, and in what asks for them", () => {
    assert.deepEqual(rulesOf(policyOf("devices", settings)), [...podSpecRequests, claims]);
  });

  it("lets only the scheduler have another class's claim for a pod's extended resource", () => {
    const refusals = (username: string) =>
      refusalsOf(policyOf("devices", settings), {
        request: { namespace: "ann", userInfo: { username, groups: [] } },
        namespaceObject: { metadata: { annotations: { [devicesAnnotation]: "gpu.example.com" } } },
        object: {
          kind: "ResourceClaim",
          metadata: { name: "a", annotations: { "resource.kubernetes.io/extended-resource-claim": "true" } },
          spec: { devices: { requests: [{ name: "one", exactly: { deviceClassName: "tpu.example.com" } }] } },
        },
      }).length;
    assert.deepEqual(
      ["system:kube-scheduler", "system:serviceaccount:kube-system:resource-claim-controller", "oidc:ann"].map(
        refusals,
      ),
      [0, 1, 1],
    );
  });

  it("judges claims of devices as all that members make, where members make any", () => {
    const extended = of({ devices: { "nvidia.com/gpu": 1 } });
    const dra = of({ devices: { "gpu.example.com": 1 } });
    for (const name of ["amounts", "finalizers"] as const) {
      const isAmong = (stack: typeof dra) =>
        rulesOf(policyOf(name, stack)).some(({ apiGroups }) => apiGroups.includes("resource.k8s.io"));
      assert.deepEqual([settings, extended, dra].map(isAmong), [false, false, true]);
    }
  });
});
