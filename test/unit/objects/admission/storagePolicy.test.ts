import assert from "node:assert/strict";
import { storageClassesAnnotation } from "../../../../config/names/labels.ts";
import { podSpecRequests } from "../../../../objects/admission/podSpecs.ts";
import { policyOf } from "../../../../objects/admission/policies.ts";
import { refusalsOf } from "../../cel.ts";
import { settings } from "../../samples.ts";

const claims = "persistentvolumeclaims";
const member = "oidc:ann";
const binder = "system:serviceaccount:kube-system:persistent-volume-binder";
const provisioner = "system:serviceaccount:kube-system:csi-provisioner";
const statefulSets = "system:serviceaccount:kube-system:statefulset-controller";
const scheduler = "system:kube-scheduler";

const claim = (annotations: object, spec: object = {}) => ({
  kind: "PersistentVolumeClaim",
  metadata: { name: "data", annotations },
  spec,
});
const completed = { "pv.kubernetes.io/bind-completed": "yes" };
const selected = { "volume.kubernetes.io/selected-node": "node-1" };
const chosen = { volumeName: "large" };

const groupsOf = (username: string) =>
  username.startsWith("system:serviceaccount:") ? ["system:serviceaccounts"] : [];
/** What the policy says of an object, by default a claim, as of this user, or of the platform. */
const refusals = (object: object, oldObject: object | null, username = member, more: object = {}, resource = claims) =>
  refusalsOf(policyOf("storage", settings), {
    request: { namespace: "ann", resource: { resource }, userInfo: { username, groups: groupsOf(username) } },
    ...{ object, oldObject, namespaceObject: { metadata: {} }, isPlatform: username === "admin", ...more },
  });
const begun = (words: readonly unknown[]) => words.map((text) => String(text).split(/, (?:by|which) /)[0]);
const marked = (key: string) => `PersistentVolumeClaim 'data' claims a volume with the annotation '${key}'`;
const isBound = marked("pv.kubernetes.io/bind-completed");
const isPlaced = marked("volume.kubernetes.io/selected-node");
const isChosen = "PersistentVolumeClaim 'data' claims the volume 'large' by its name";

// Suites in test/e2e/isolation/hostile, and admission/pools.ts beside it, try it on the API server.
describe("the policy on storage", () => {
  it("judges storage in claims, and in all that makes some", () => {
    const { resourceRules } = policyOf("storage", settings).spec.matchConstraints;
    const judged = resourceRules.map(({ apiGroups, resources }) => ({ apiGroups, resources }));
    assert.deepEqual(judged, [{ apiGroups: [""], resources: [claims] }, ...podSpecRequests]);
  });

  it("lets nobody make a claim that is bound already, and the volumes' controller bind one later", () => {
    for (const username of [member, binder, provisioner, statefulSets, scheduler, "admin"]) {
      assert.deepEqual(begun(refusals(claim(completed), null, username)), [isBound], username);
    }
    const later = (username: string) => begun(refusals(claim(completed), claim({}), username));
    assert.deepEqual([member, provisioner, statefulSets, scheduler].flatMap(later), Array(4).fill(isBound));
    assert.deepEqual([binder, "system:kube-controller-manager", "admin"].flatMap(later), []);
  });

  it("lets members choose neither volume nor node, but controllers and the platform", () => {
    for (const before of [null, claim({})]) {
      assert.deepEqual(begun(refusals(claim(selected, chosen), before)), [isPlaced, isChosen]);
      for (const username of [binder, statefulSets, scheduler, "admin"]) {
        assert.deepEqual(refusals(claim(selected, chosen), before, username), [], username);
      }
    }
  });

  it("leaves a claim as it was, and lets it change otherwise", () => {
    const before = claim({ ...completed, ...selected }, chosen);
    assert.deepEqual(refusals(claim({ ...completed, ...selected, a: "b" }, chosen), before), []);
    assert.deepEqual(refusals(claim({}, chosen), before), []);
    const moved = { ...completed, "volume.kubernetes.io/selected-node": "node-2" };
    assert.deepEqual(begun(refusals(claim(moved, chosen), before)), [isPlaced]);
  });

  it("judges templates of claims whoever writes them, but for the platform", () => {
    const template = { metadata: { annotations: { ...completed, ...selected } }, spec: chosen };
    const ephemeral = { name: "b", ephemeral: { volumeClaimTemplate: template } };
    const spec = { volumes: [{ name: "a", emptyDir: {} }, ephemeral] };
    const metadata = { name: "a" };
    const objects = {
      pods: { kind: "Pod", metadata, spec },
      deployments: { kind: "Deployment", metadata, spec: { template: { spec } } },
      statefulsets: { kind: "StatefulSet", metadata, spec: { volumeClaimTemplates: [template] } },
    };
    for (const [resource, object] of Object.entries(objects)) {
      const count = (username: string, oldObject: object | null = null) =>
        refusals(object, oldObject, username, {}, resource).length;
      assert.deepEqual([count(member), count(statefulSets), count("admin"), count(member, object)], [3, 3, 1, 0]);
    }
  });

  it("refuses a claim's VolumeAttributesClass, unless it was there or the namespace is not held", () => {
    const ofClass = (volumeAttributesClassName?: string) =>
      claim(
        {},
        { storageClassName: "fast", ...(volumeAttributesClassName !== undefined && { volumeAttributesClassName }) },
      );
    const namespaceObject = { metadata: { annotations: { [storageClassesAnnotation]: "fast" } } };
    const refusalsIn = (object: object, oldObject: object | null, more: object = { namespaceObject }) =>
      refusals(object, oldObject, member, more);
    const refused = (name: string) => [
      `PersistentVolumeClaim 'data' has the VolumeAttributesClass '${name}', and namespace 'ann' may have none: leave ` +
        "volumeAttributesClassName out, or ask your cluster's admin",
    ];
    assert.deepEqual(refusalsIn(ofClass("gold"), null), refused("gold"));
    assert.deepEqual(refusalsIn(ofClass("gold"), ofClass()), refused("gold"));
    assert.deepEqual(refusalsIn(ofClass("gold"), ofClass("silver")), refused("gold"));
    assert.deepEqual(refusalsIn(ofClass("gold"), ofClass("gold")), []);
    assert.deepEqual([refusalsIn(ofClass(), null), refusalsIn(ofClass(""), null)], [[], []]);
    assert.deepEqual(refusalsIn(ofClass("gold"), null, { namespaceObject: { metadata: {} } }), []);
  });
});
