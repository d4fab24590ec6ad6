import assert from "node:assert/strict";
import type { V1ClusterRole, V1ClusterRoleBinding, V1PolicyRule } from "@kubernetes/client-node";
import { acceptancesIn, acceptedRules } from "../../../../../verify/parts/access/everybody.ts";
import { rightTexts } from "../../../../../verify/parts/access/rights.ts";

const rbac = "rbac.authorization.k8s.io";
const rule = (verb: string, apiGroup: string, resource: string): V1PolicyRule => ({
  verbs: [verb],
  apiGroups: [apiGroup],
  resources: [resource],
});
const projects = rule("create", "project.openshift.io", "projectrequests");
const role = (...rules: V1PolicyRule[]): V1ClusterRole => ({ metadata: { name: "given" }, rules });
const binding = (reason: string | undefined, name = "system:authenticated", kind = "Group"): V1ClusterRoleBinding => ({
  metadata: { name: "to-all", ...(reason === undefined ? {} : { annotations: { "kubecamp.dev/accepted": reason } }) },
  roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "given" },
  subjects: [{ kind, name, apiGroup: rbac }],
});
const outcomeOf = (...rules: V1PolicyRule[]) => acceptancesIn([binding("the console")], [role(...rules)])[0]?.outcome;

describe("rights of everybody", () => {
  it("are accepted by a reason on the ClusterRoleBinding that gives them, which is told with them", () => {
    const own = [projects, { verbs: ["get"], nonResourceURLs: ["/metrics"] }];
    const [only, ...others] = acceptancesIn(
      [binding("the console"), binding(undefined), binding("")],
      [{ metadata: { name: "other" }, rules: [rule("*", "*", "*")] }, role(...own)],
    );
    assert.deepEqual(others, []);
    assert.deepEqual(only, {
      by: "ClusterRoleBinding to-all",
      groups: ["Group /system:authenticated"],
      rules: [projects, { verbs: ["get"], apiGroups: ["(paths)"], resources: ["/metrics"] }],
      outcome: {
        is: "held",
        accepted: "everybody may create projectrequests.project.openshift.io, get /metrics (the console)",
      },
    });
  });

  it("are accepted for the group alone that the binding names: nobody else's, and pods' for pods", () => {
    const accepted = (name: string, kind?: string) => {
      const all = acceptancesIn([binding("why", name, kind)], [role(projects)]);
      const user = acceptedRules(all, { kind: "User", name: "ada" }).length > 0;
      const pod = acceptedRules(all, { kind: "ServiceAccount", name: "default", namespace: "ada" }).length > 0;
      return { user, pod };
    };
    assert.deepEqual(accepted("system:authenticated"), { user: true, pod: true });
    assert.deepEqual(accepted("system:serviceaccounts"), { user: false, pod: true });
    assert.deepEqual(accepted("system:serviceaccounts:ada"), { user: false, pod: false });
    assert.deepEqual(accepted("ada", "User"), { user: false, pod: false });
    assert.deepEqual(accepted("system:authenticated", "User"), { user: false, pod: false });
  });

  it("that are harmless can be accepted: on OpenShift, with KubeVirt, and to see the cluster", () => {
    for (const harmless of [
      projects,
      rule("*", "kubevirt.io", "virtualmachines"),
      rule("get", "subresources.kubevirt.io", "version"),
      rule("use", "security.openshift.io", "securitycontextconstraints"),
      rule("impersonate", "authentication.k8s.io", "userextras/scopes.authorization.openshift.io"),
      rule("list", rbac, "clusterroles"),
      rule("list", "storage.k8s.io", "storageclasses"),
      rule("list", "", "namespaces"),
      rule("watch", "", "nodes"),
    ]) {
      assert.equal(outcomeOf(harmless)?.is, "held", JSON.stringify(harmless));
    }
  });

  it("that reach members' objects, RBAC or other identities can't, nor what comes with them", () => {
    for (const harmful of [
      rule("get", "", "secrets"),
      rule("list", "*", "secrets"),
      rule("list", "", "*"),
      rule("get", "", "pods"),
      rule("get", "", "pods/exec"),
      rule("get", "", "pods/proxy"),
      rule("get", "", "*/log"),
      rule("get", "apps", "deployments/scale"),
      rule("create", "", "pods/exec"),
      rule("create", "", "serviceaccounts/token"),
      rule("impersonate", "", "users"),
      rule("impersonate:user-info", "authentication.k8s.io", "users"),
      rule("bind", rbac, "clusterroles"),
      rule("patch", rbac, "clusterrolebindings"),
      rule("create", "networking.k8s.io", "networkpolicies"),
      rule("delete", "admissionregistration.k8s.io", "validatingadmissionpolicybindings"),
      rule("*", "*", "*"),
      { verbs: ["*"], nonResourceURLs: ["*"] },
    ]) {
      const [text] = rightTexts(
        (harmful.apiGroups ?? ["(paths)"]).map((group) => ({
          verb: harmful.verbs[0] ?? "",
          group,
          resource: harmful.resources?.[0] ?? "*",
          name: "",
        })),
      );
      const tried = "read its annotation kubecamp.dev/accepted";
      assert.deepEqual(outcomeOf(projects, harmful), { is: "broken", tried, came: `it can't accept ${text}` });
    }
    const all = acceptancesIn([binding("why")], [role(projects, rule("get", "", "secrets"))]);
    assert.deepEqual(acceptedRules(all, { kind: "User", name: "ada" }), []);
  });
});
