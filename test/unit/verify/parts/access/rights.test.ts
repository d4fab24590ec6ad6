import assert from "node:assert/strict";
import { isRead, memberObjects, sharedObjects } from "../../../../../plan/rows/manifest.ts";
import { beyond, declaredRules, grantsIn, rightTexts } from "../../../../../verify/parts/access/rights.ts";
import { configuration } from "../../../samples.ts";

const { settings, members } = configuration({
  members: [
    { member: "ada", type: "user", groups: ["class-a"], ci: [{ token: true }] },
    { member: "bob", type: "guest-user" },
    { member: "cyd", type: "user", suspended: true },
  ],
  staff: [{ group: "teachers", role: "view", over: { members: ["bob"] } }],
  ci: {},
});
const grants = grantsIn([
  ...sharedObjects(settings).filter(isRead),
  ...members.flatMap((member) => memberObjects({ member, settings }).base.filter(isRead)),
]);
const rule = (verbs: readonly string[], resources: readonly string[], more: object = {}) => ({
  verbs,
  apiGroups: [""],
  resources,
  ...more,
});

describe("rights", () => {
  const may = (kind: string, name: string, place: string, namespace?: string) => {
    const rules = declaredRules(grants, { kind, name, ...(namespace === undefined ? {} : { namespace }) }, place);
    return ["secrets", "pods", "services"].filter((one) => beyond([rule(["list"], [one])], rules).length === 0);
  };

  it("follow from the declared bindings of each subject: at home, elsewhere, as staff and as CI jobs", () => {
    for (const [kind, name] of [
      ["User", "oidc:ada"],
      ["Group", "oidc:class-a"],
    ] as const) {
      assert.deepEqual(may(kind, name, "ada"), ["secrets", "pods", "services"]);
      assert.deepEqual(may(kind, name, "bob"), ["pods", "services"]);
      assert.deepEqual(may(kind, name, "kube-system"), ["pods", "services"]);
    }
    assert.deepEqual(may("User", "oidc:bob", "ada"), ["services"]);
    assert.deepEqual(may("User", "oidc:cyd", "cyd"), []);
    assert.deepEqual(may("Group", "oidc:teachers", "bob"), ["pods", "services"]);
    assert.deepEqual(may("Group", "oidc:teachers", "ada"), []);
    assert.deepEqual(may("ServiceAccount", "kubecamp-ci", "ada", "ada"), ["secrets", "pods", "services"]);
    assert.deepEqual(may("ServiceAccount", "kubecamp-ci", "bob", "ada"), []);
    assert.deepEqual(may("ServiceAccount", "kubecamp-ci", "ada", "bob"), []);
    // A group of that name is somebody else.
    assert.deepEqual(may("Group", "oidc:ada", "ada"), []);
  });

  it("go beyond others by verb, resource, subresource, API group or name, and wildcards cover them", () => {
    const further = (have: object, declared: object) =>
      rightTexts(beyond([rule(["get"], ["pods"], have)], [rule(["get"], ["pods"], declared)]));
    assert.deepEqual(further({}, {}), []);
    assert.deepEqual(further({ verbs: ["get", "list", "watch"] }, {}), ["list, watch pods"]);
    assert.deepEqual(further({ resources: ["pods", "pods/log"] }, {}), ["get pods/log"]);
    assert.deepEqual(further({ apiGroups: ["", "apps"] }, {}), ["get pods.apps"]);
    assert.deepEqual(further({ apiGroups: ["apps"], resources: ["deployments/scale"] }, {}), [
      "get deployments.apps/scale",
    ]);
    assert.deepEqual(further({}, { resourceNames: ["web"] }), ["get pods"]);
    assert.deepEqual(further({ resourceNames: ["db"] }, { resourceNames: ["web"] }), ["get pods 'db'"]);
    assert.deepEqual(further({ resourceNames: ["web"] }, {}), []);
    assert.deepEqual(further({ verbs: ["*"] }, {}), ["* pods"]);
    assert.deepEqual(further({}, { verbs: ["*"], apiGroups: ["*"], resources: ["*"] }), []);
    assert.deepEqual(further({ resources: ["pods/exec"] }, { resources: ["*/exec"] }), []);
    assert.deepEqual(further({ resources: ["exec"] }, { resources: ["*/exec"] }), ["get exec"]);
  });
});
