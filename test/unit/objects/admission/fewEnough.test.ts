import assert from "node:assert/strict";
import { devicesAnnotation, imageRulesAnnotation } from "../../../../config/names/labels.ts";
import type { AdmissionPolicy } from "../../../../config/names/names.ts";
import { signatureKey } from "../../../../config/names/pulumiMarks.ts";
import { fillIn } from "../../../../objects/admission/confined/fillIn.ts";
import { isHandedOn } from "../../../../objects/admission/podSpecs.ts";
import { policyOf } from "../../../../objects/admission/policies.ts";
import { evaluated, refusalsOf } from "../../cel.ts";
import { configuration } from "../../samples.ts";

let looks = 0;
/** Counts how often a policy looks at an item of a list, or at an entry of a map. */
const counting = <T extends object>(items: T): T =>
  new Proxy(items, {
    get: (target, key) => {
      if (Object.hasOwn(target, key) && key !== "length") {
        looks++;
      }
      return Reflect.get(target, key);
    },
  });
const many = <T>(length: number, item: T): T[] => counting(Array.from({ length }, () => item));
const byName = (length: number, value: unknown = "x") =>
  counting(Object.fromEntries(Array.from({ length }, (_, index) => [`example.org/k-${index}`, value] as const)));
const counted: object = {};
/** The evaluator itself looks at the first of a list to tell its type; a loop looks at all. */
const assertNoLoop = (judge: () => void) => {
  looks = 0;
  judge();
  assert.ok(looks < 500, `${looks} looks`);
};

const { settings } = configuration({
  members: [],
  contact: "us",
  memberTypes: {
    gpu: { devices: {}, pool: { nodeSelector: { pool: "gpu" }, tolerations: [{ key: "gpu", operator: "Exists" }] } },
  },
});
const metadata = { name: "web" };
const pod = (spec: object) => ({ kind: "Pod", metadata, spec });
const service = (spec: object) => ({ kind: "Service", metadata, spec });
const statefulSet = (spec: object) => ({ kind: "StatefulSet", metadata, spec });
const claim = (more: object) => ({ kind: "PersistentVolumeClaim", metadata: { ...metadata, ...more }, spec: {} });
const configMap = (more: object) => ({ kind: "ConfigMap", metadata: { ...metadata, ...more } });
const affinity = (kind: string, terms: object) => ({ affinity: { [kind]: terms } });
const required = (terms: unknown) => ({ requiredDuringSchedulingIgnoredDuringExecution: terms });
const preferred = (terms: unknown) => ({ preferredDuringSchedulingIgnoredDuringExecution: terms });

/** Variables that the API server alone can evaluate: for a member, and for images that nobody looks at. */
const replaced: Readonly<Record<string, string>> = { isPlatform: "false", references: "variables.added" };

function judged(
  name: AdmissionPolicy,
  object: object,
  oldObject: object | null = null,
  username = "oidc:bob",
): unknown[] {
  const policy = policyOf(name, settings);
  const variables = policy.spec.variables.map(({ name, expression }) => ({
    name,
    expression: replaced[name] ?? expression,
  }));
  const { kind } = object as { kind: string };
  const asked = {
    request: {
      namespace: "bob",
      operation: oldObject === null ? "CREATE" : "UPDATE",
      kind: { kind },
      resource: { group: kind === "StatefulSet" ? "apps" : "", resource: `${kind.toLowerCase()}s` },
      userInfo: { username, groups: [] },
    },
    object,
    oldObject,
    namespaceObject: {
      metadata: { name: "bob", annotations: { [imageRulesAnnotation]: "", [devicesAnnotation]: "" } },
    },
    params: { metadata: { name: "low" } },
  };
  return refusalsOf({ ...policy, spec: { ...policy.spec, variables } }, asked);
}

const ofPods = "tolerations, volumes with their sources, containers and terms of podAffinity";
const ofImages = "containers and volumes";
const ofPools = "tolerations, and terms of nodeAffinity with their expressions";
const ofDevices = "containers and names of their resources";
const lasting = "finalizers, owners and claim templates";
const ofStorage = "volumes, claim templates and annotations";
const marks = "labels, annotations and claim templates";

const namespaces = many(1000, "bob");
const resources = { limits: byName(600), requests: byName(400) };
const preference = { matchExpressions: many(1000, counted) };
const held = { finalizers: many(1000, "x") };
const ephemeral = { volumeClaimTemplate: { metadata: { annotations: byName(1000) } } };

/** Each with one item more than a policy goes through. */
const tooMany: readonly (readonly [AdmissionPolicy, has: string, what: string, object: object])[] = [
  ["pods", "tolerations", ofPods, pod({ tolerations: many(1001, counted) })],
  ["pods", "terms of an affinity", ofPods, pod(affinity("podAffinity", required(many(1001, {}))))],
  ["pods", "namespaces of a term", ofPods, pod(affinity("podAntiAffinity", required([{ namespaces }])))],
  ["pods", "sources of a volume", ofPods, pod({ volumes: [{ projected: { sources: many(1000, counted) } }] })],
  ["images", "containers", ofImages, pod({ containers: many(1001, counted) })],
  ["devices", "resources of a container", ofDevices, pod({ containers: [{ resources }] })],
  ["pools", "expressions of terms with a weight", ofPools, pod(affinity("nodeAffinity", preferred([{ preference }])))],
  ["finalizers", "finalizers", lasting, configMap({ finalizers: many(1001, "orphan") })],
  ["finalizers", "owners", lasting, configMap({ ownerReferences: many(1001, counted) })],
  [
    "finalizers",
    "finalizers of a claim template",
    lasting,
    statefulSet({ volumeClaimTemplates: [{ metadata: held }] }),
  ],
  ["reserved", "labels and annotations", marks, configMap({ labels: byName(501), annotations: byName(500) })],
  ["services", "external IPs", "external IPs and ports", service({ externalIPs: many(1001, "10.0.0.9") })],
  ["services", "ports", "external IPs and ports", service({ type: "ClusterIP", ports: many(1001, counted) })],
  ["storage", "annotations of a claim", ofStorage, claim({ annotations: byName(1001) })],
  ["storage", "annotations of a volume's claim", ofStorage, pod({ volumes: [{ ephemeral }] })],
];

// test/e2e/isolation/hostile tries it on the API server.
describe("what policies go through one by one", () => {
  for (const [name, has, what, object] of tooMany) {
    const { kind, metadata } = object as { kind: string; metadata: object };
    it(`refuses too many ${has} by the policy ${name}, unread`, () => {
      assertNoLoop(() =>
        assert.deepEqual(judged(name, object), [
          `${kind} 'web' has 1001 ${what}, which the API server would be long busy with: leave it at 1000, or ask us`,
        ]),
      );
    });

    it(`leaves too many ${has} that were there, by the policy ${name}`, () => {
      const labelled = { ...object, metadata: { ...metadata, generation: 2 } };
      assert.deepEqual(judged(name, labelled, object), []);
    });
  }

  it("refuses a list that stays too long, and lets one become short", () => {
    const owned = (finalizers: number) => configMap({ finalizers: many(finalizers, "orphan") });
    assert.match(String(judged("finalizers", owned(1001), owned(1002))), /has 1001 finalizers/);
    assert.deepEqual(judged("finalizers", owned(1000), owned(1001)), []);
    const tolerant = (count: number) => pod({ tolerations: many(count, { key: "spot" }) });
    assert.match(String(judged("pods", tolerant(1001), tolerant(1002))), /has 1001 tolerations/);
    assert.deepEqual(judged("pods", tolerant(1000), pod({ tolerations: many(1001, counted) })), []);
  });

  it("passes what an object had before only if that was a short list", () => {
    const special = { key: "CriticalAddonsOnly" };
    const words = /tolerates 'CriticalAddonsOnly'/;
    const former = (count: number) => pod({ tolerations: [special, ...many(count, { key: "spot" })] });
    assert.deepEqual(judged("pods", pod({ tolerations: [special] }), former(999)), []);
    assert.match(String(judged("pods", pod({ tolerations: [special] }), former(1000))), words);
  });

  it("hides nothing else of an object behind a long list", () => {
    const labelled = configMap({ labels: byName(1001) });
    const [refusal] = judged("reserved", { ...labelled, data: { [signatureKey]: "x" } }, labelled);
    assert.match(String(refusal), new RegExp(`has the key ${signatureKey}`));
  });

  it("lets nobody pass for part of another object by a thousand owners", () => {
    const owned = (count: number, owner: object) => ({
      kind: "Job",
      metadata: { ownerReferences: many(count, owner) },
    });
    assert.equal(evaluated(isHandedOn, { object: owned(1000, { controller: true }) }), true);
    assertNoLoop(() => assert.equal(evaluated(isHandedOn, { object: owned(1001, counted) }), false));
  });

  it("leaves a pod with too many tolerations as it is, for policies to refuse", () => {
    const { expression = "" } = fillIn(settings).spec.variables.find(({ name }) => name === "missingTolerations") ?? {};
    const missing = (tolerations: readonly object[]) =>
      evaluated(expression, { variables: { pod: { tolerations }, tolerations: [{ key: "gpu", operator: "Exists" }] } });
    assertNoLoop(() => assert.deepEqual(missing(many(1001, counted)), []));
    assert.equal((missing([{ key: "spot" }]) as unknown[]).length, 1);
  });
});
