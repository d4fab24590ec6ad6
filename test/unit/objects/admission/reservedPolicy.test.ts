import assert from "node:assert/strict";
import { stackKindsWhere } from "../../../../cluster/kinds/stackKinds.ts";
import { givenKindNames, givenKinds } from "../../../../config/objects/givenKinds.ts";
import { podSpecRequests } from "../../../../objects/admission/podSpecs.ts";
import { policyOf } from "../../../../objects/admission/policies.ts";
import { refusalsOf } from "../../cel.ts";
import { configurationOf, given } from "../../deploy/stacks.ts";
import { settings } from "../../samples.ts";

// Suites in test/e2e/isolation/hostile, and those about routes, starters and buckets, try it on the API server.
describe("the policy on what is kubecamp's at home", () => {
  const { metadata, spec } = policyOf("reserved", { ...settings, contact: 'the "platform" team' });

  it("judges every kind that members and runs both write, also deleted, but for Services, and logins", () => {
    assert.equal(metadata.name, "kubecamp-reserved-dev");
    const { resourceRules } = spec.matchConstraints;
    const rules = resourceRules.filter(({ operations }) => operations.includes("DELETE"));
    const resources = rules.flatMap((rule) => rule.resources);
    const besides = ["Service", "CronJob", "DaemonSet", "StatefulSet"];
    const written = stackKindsWhere(({ isWrittenByMembers }) => isWrittenByMembers);
    const others = written.filter((kind) => !besides.includes(kind));
    const expected = [...others.map((kind) => `${kind.toLowerCase()}s`), "securitypolicies"];
    assert.deepEqual(resources.sort(), expected.sort());
    assert.deepEqual(
      resourceRules.filter((rule) => !rules.includes(rule)).flatMap((rule) => rule.resources),
      podSpecRequests.flatMap((request) => request.resources),
    );
  });

  it("judges every kind that members are given, and what scales them", () => {
    // Also kinds that no file has yet.
    const { spec: more } = policyOf("reserved", { ...configurationOf(given).settings, objects: [] });
    const resources = new Set(more.matchConstraints.resourceRules.flatMap((rule) => rule.resources));
    const scaled = ["deployments/scale", "statefulsets/scale", "horizontalpodautoscalers"];
    const wanted = [...givenKindNames.map((kind) => givenKinds[kind].resource), ...scaled];
    const unjudged = wanted.filter((resource) => !resources.has(resource));
    assert.deepEqual(unjudged, []);
    assert.equal(more.validations.length, spec.validations.length + 2);
  });

  describe("of pods' annotations", () => {
    const kinds: Readonly<Record<string, (template: object) => object>> = {
      Pod: (pod) => pod,
      Deployment: (template) => ({ spec: { template } }),
      CronJob: (template) => ({ spec: { jobTemplate: { spec: { template } } } }),
    };
    const groups: Readonly<Record<string, string>> = { Deployment: "apps", CronJob: "batch" };
    const variables = spec.variables.map((each) =>
      each.name === "isPlatform" ? { ...each, expression: "false" } : each,
    );
    const forMembers = { metadata, spec: { ...spec, variables } };
    const refused = (kind: string, annotations: object, before: object | null = null, username = "oidc:bob") => {
      const of = (some: object) => {
        const made = kinds[kind]?.({ metadata: { name: "web", annotations: some } }) ?? {};
        return { kind, metadata: { name: "web" }, ...made };
      };
      const request = {
        ...{ namespace: "bob", operation: before === null ? "CREATE" : "UPDATE", kind: { kind } },
        resource: { group: groups[kind] ?? "", resource: `${kind.toLowerCase()}s` },
        userInfo: { username, groups: [] },
      };
      const namespaceObject = { metadata: {} };
      const asked = { request, object: of(annotations), oldObject: before && of(before), namespaceObject };
      return refusalsOf(forMembers, asked).map((text) => String(text).slice(0, 90));
    };

    for (const kind of Object.keys(kinds)) {
      it(`refuses networks and autoscalers' marks in annotations of a ${kind}`, () => {
        for (const key of [
          "k8s.v1.cni.cncf.io/networks",
          "net1.default.ovn.kubernetes.io/ip_address",
          "io.cilium/x",
          "karpenter.sh/do-not-disrupt",
          "cluster-autoscaler.kubernetes.io/safe-to-evict",
        ]) {
          assert.deepEqual(refused(kind, { [key]: "x" }), [
            `${kind} 'web' has the annotation '${key}=x', by which its pods would choose their network`.slice(0, 90),
          ]);
        }
      });

      it(`leaves a ${kind} other annotations, those it had, and those that controllers write`, () => {
        const old = { "cni.projectcalico.org/ipAddrs": "10.0.0.1" };
        const others = {
          "cluster-autoscaler.kubernetes.io/safe-to-evict": "true",
          "kubernetes.io/egress-bandwidth": "1M",
          "example.org/cilium.io": "x",
          // Of a copied pod.
          "cni.projectcalico.org/podIP": "10.0.0.1",
          "k8s.v1.cni.cncf.io/network-status": "[]",
        };
        assert.deepEqual(refused(kind, others), []);
        assert.deepEqual(refused(kind, { ...old, a: "b" }, old), []);
        assert.deepEqual(refused(kind, old, {}, "system:node:a"), []);
        assert.equal(refused(kind, { "cni.projectcalico.org/ipAddrs": "10.0.0.2" }, old).length, 1);
      });
    }
  });
});
