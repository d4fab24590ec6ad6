import assert from "node:assert/strict";
import { othersViews } from "../../../../config/member/types.ts";
import { clusterRoleBinding, roleBinding } from "../../../../objects/rbac/bindings.ts";
import { clusterRole } from "../../../../objects/rbac/clusterRole.ts";
import { role } from "../../../../objects/rbac/role.ts";
import { alice, atOnce, carol, gatewaySettings, labelsOf, member, settings } from "../../samples.ts";

const apiGroup = "rbac.authorization.k8s.io";
const read = ["get", "list", "watch"];
const all = [...read, "create", "update", "patch", "delete", "deletecollection"];

/** `group/resource` of each thing that the rules let somebody do with one of the verbs. */
const allowed = (
  rules: readonly { apiGroups: string[]; resources: string[]; verbs: string[] }[],
  verbs: readonly string[],
) =>
  rules
    .filter((rule) => rule.verbs.some((verb) => verbs.includes(verb)))
    .flatMap(({ apiGroups, resources }) => apiGroups.flatMap((group) => resources.map((it) => `${group}/${it}`)));

describe("roles", () => {
  it("lets members run things at home, read what guards them, and read a little of others", () => {
    const rule = (apiGroup: string, resources: string[], verbs = read) => ({ apiGroups: [apiGroup], resources, verbs });
    const edit = role(carol, settings);
    const name = { name: "kubecamp-edit", namespace: "carol" };
    assert.deepEqual(edit.metadata, { ...name, labels: labelsOf("carol"), annotations: atOnce });
    assert.deepEqual(edit.rules, [
      rule("", ["configmaps", "persistentvolumeclaims", "pods", "secrets", "services"], all),
      rule("apps", ["daemonsets", "deployments", "replicasets", "statefulsets"], all),
      rule("autoscaling", ["horizontalpodautoscalers"], all),
      rule("batch", ["cronjobs", "jobs"], all),
      rule("", ["pods/log"]),
      rule("", ["pods/attach", "pods/exec", "pods/portforward"], ["get", "create"]),
      rule("", ["pods/ephemeralcontainers", "pods/resize"], ["get", "patch", "update"]),
      rule("", ["pods/eviction"], ["create"]),
      rule("apps", ["deployments/scale", "replicasets/scale", "statefulsets/scale"], ["get", "patch", "update"]),
      rule("", ["endpoints", "events", "limitranges", "resourcequotas", "serviceaccounts"]),
      rule("", ["namespaces"], ["get"]),
      rule("apps", ["controllerrevisions"]),
      rule("discovery.k8s.io", ["endpointslices"]),
      rule("networking.k8s.io", ["ingresses", "networkpolicies"]),
      rule("policy", ["poddisruptionbudgets"]),
      rule(apiGroup, ["rolebindings", "roles"]),
    ]);
    const { "kubecamp.dev/member": _, ...labels } = labelsOf("bob");
    const { metadata, rules } = clusterRole("view", settings);
    assert.deepEqual(metadata, { name: "kubecamp:dev:view", labels, annotations: atOnce });
    assert.deepEqual(rules, [
      rule("", ["namespaces", "persistentvolumeclaims", "pods", "services"]),
      rule("apps", ["daemonsets", "deployments", "replicasets", "statefulsets"]),
      rule("batch", ["cronjobs", "jobs"]),
      rule("networking.k8s.io", ["ingresses"]),
    ]);
    assert.deepEqual(clusterRole("view-guest", settings).rules, [
      rule("", ["namespaces", "services"]),
      rule("networking.k8s.io", ["ingresses"]),
    ]);
  });

  it("lets members ask for devices who have any of a DeviceClass", () => {
    const verbsOf = (entry: object) =>
      role(member({ member: "bob", type: "user", ...entry }), settings).rules.flatMap(({ apiGroups, verbs }) =>
        apiGroups.includes("resource.k8s.io") ? verbs : [],
      );
    const devices = { "gpu.example.com": 1 };
    assert.deepEqual(verbsOf({ devices }), all);
    assert.deepEqual(verbsOf({ devices, home: "view" }), read);
    assert.deepEqual(verbsOf({ devices: { "nvidia.com/gpu": 1 } }), []);
  });

  it("lets members who only look at home read less than the others, and never Secrets", () => {
    const looks = role(member({ member: "bob", type: "user", home: "view" }), settings);
    assert.equal(looks.metadata.name, "kubecamp-view");
    for (const { resources, verbs } of looks.rules) {
      assert.deepEqual(verbs, resources.includes("namespaces") ? ["get"] : read);
    }
    const seen = allowed(looks.rules, read);
    const seenByEditors = allowed(role(carol, settings).rules, read);
    // To open a connection to a pod takes a GET, however little it looks like reading.
    const subresources = ["attach", "ephemeralcontainers", "exec", "portforward", "resize"];
    const hidden = ["/secrets", ...subresources.map((each) => `/pods/${each}`)];
    const scales = ["apps/deployments/scale", "apps/replicasets/scale", "apps/statefulsets/scale"];
    assert.deepEqual(seenByEditors.filter((it) => !seen.includes(it)).sort(), [...hidden, ...scales].sort());
    const more = seen.filter((it) => !seenByEditors.includes(it));
    assert.deepEqual(more, []);
  });

  it("lets members see routes at a Gateway, never change them, where the stack has those", () => {
    const stack = gatewaySettings();
    const own = ["gateway.networking.k8s.io/backendtlspolicies", "gateway.networking.k8s.io/httproutes"];
    const ofGateways = (rules: Parameters<typeof allowed>[0]) =>
      rules.filter(({ apiGroups }) => apiGroups.includes("gateway.networking.k8s.io"));
    for (const one of [carol, member({ member: "bob", type: "user", home: "view" })]) {
      const rules = ofGateways(role(one, stack).rules);
      assert.deepEqual(allowed(rules, read), own);
      const verbs = rules.flatMap((rule) => rule.verbs);
      assert.deepEqual(verbs, read);
    }
    for (const view of othersViews) {
      const rules = ofGateways(clusterRole(view, stack).rules);
      assert.deepEqual(rules, [{ apiGroups: ["gateway.networking.k8s.io"], resources: ["httproutes"], verbs: read }]);
      assert.deepEqual(ofGateways(clusterRole(view, settings).rules), []);
    }
    assert.deepEqual(ofGateways(role(carol, settings).rules), []);
  });

  it("says on a Role whom it will bind while it binds nobody, and where no other may look", () => {
    const entry = { member: "lab", type: "user", subject: "lab@example.org", groups: ["class-a"] };
    const annotationsOf = (more: object) => role(member({ ...entry, ...more }), settings).metadata.annotations;
    const subjects = "User oidc:lab@example.org\nGroup oidc:class-a";
    for (const gone of [{ suspended: true }, { expires: "2026-06-14" }]) {
      assert.deepEqual(annotationsOf(gone), { ...atOnce, "kubecamp.dev/suspended-subjects": subjects });
    }
    assert.deepEqual(annotationsOf({}), atOnce);
    for (const view of othersViews) {
      assert.doesNotMatch(JSON.stringify(clusterRole(view, settings).rules), /"roles"/);
    }
  });

  it("binds roles under names that carry the role, for the person and the groups", () => {
    const shared = member({ member: "lab", type: "user", subject: "lab@example.org", groups: ["class-a"] });
    const subjects = [
      { kind: "User", name: "oidc:lab@example.org", apiGroup },
      { kind: "Group", name: "oidc:class-a", apiGroup },
    ];
    assert.deepEqual(roleBinding(shared, settings), {
      metadata: { name: "kubecamp-edit", namespace: "lab", labels: labelsOf("lab"), annotations: atOnce },
      roleRef: { apiGroup, kind: "Role", name: "kubecamp-edit" },
      subjects,
    });
    assert.deepEqual(clusterRoleBinding(shared, "view", settings), {
      metadata: { name: "kubecamp:dev:lab:view", labels: labelsOf("lab"), annotations: atOnce },
      roleRef: { apiGroup, kind: "ClusterRole", name: "kubecamp:dev:view" },
      subjects,
    });
    assert.equal(clusterRoleBinding(carol, "view-guest", settings).metadata.name, "kubecamp:dev:carol:view-guest");
    assert.equal(clusterRoleBinding(alice, "view", settings).roleRef.name, "kubecamp:dev:view");
  });
});
