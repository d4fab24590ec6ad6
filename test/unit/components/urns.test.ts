import assert from "node:assert/strict";
import { Drift } from "../../../cluster/drift.ts";
import { ClusterAccess } from "../../../components/clusterAccess.ts";
import { MemberEnvironment } from "../../../components/memberEnvironment.ts";
import { clusterProvider } from "../../../components/provider.ts";
import { bob, settings } from "../samples.ts";
import { urnsOf } from "./recorded.ts";

/**
 * Released names. A URN that changes is a resource that Pulumi deletes and makes anew, for a namespace with all that is
 * in it: so a difference here needs an alias in the code, not another line in this list.
 * @see https://www.pulumi.com/docs/iac/concepts/options/aliases/
 */
const released = [
  "urn:pulumi:dev::kubecamp::kubecamp:index:ClusterAccess$kubernetes:rbac.authorization.k8s.io/v1:ClusterRole::access/view",
  "urn:pulumi:dev::kubecamp::kubecamp:index:ClusterAccess$kubernetes:rbac.authorization.k8s.io/v1:ClusterRole::access/view-guest",
  "urn:pulumi:dev::kubecamp::kubecamp:index:ClusterAccess::access",
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:core/v1:LimitRange::bob/limits",
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:core/v1:Namespace::bob/namespace",
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:core/v1:ResourceQuota::bob/quota",
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:core/v1:Service::bob/route/service",
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:networking.k8s.io/v1:Ingress::bob/route/ingress",
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:networking.k8s.io/v1:NetworkPolicy::bob/isolation",
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:rbac.authorization.k8s.io/v1:ClusterRoleBinding::bob/others/view",
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:rbac.authorization.k8s.io/v1:Role::bob/role/edit",
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment$kubernetes:rbac.authorization.k8s.io/v1:RoleBinding::bob/binding/edit",
  "urn:pulumi:dev::kubecamp::kubecamp:index:MemberEnvironment::bob",
  "urn:pulumi:dev::kubecamp::pulumi:providers:kubernetes::cluster",
];

describe("URNs", () => {
  it("of a sample stack are those that were released", async () => {
    const urns = await urnsOf(() => {
      const provider = clusterProvider(settings);
      const drift = new Drift({ guards: new Map() });
      const access = new ClusterAccess("access", { settings, drift }, { provider });
      new MemberEnvironment("bob", { member: bob, settings, access, routed: true, drift }, { provider });
    });
    assert.deepEqual(urns, released);
  });
});
