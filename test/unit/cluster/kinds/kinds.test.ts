import assert from "node:assert/strict";
import { allOf, type Kind, kinds, listPath, objectPath, oneOf } from "../../../../cluster/kinds/kinds.ts";

/** As `kubectl api-resources` and the documentation of the CustomResourceDefinitions have them. */
const paths: Readonly<Record<Kind, string>> = {
  BackendTLSPolicy: "/apis/gateway.networking.k8s.io/v1/backendtlspolicies",
  ClusterRole: "/apis/rbac.authorization.k8s.io/v1/clusterroles",
  ClusterRoleBinding: "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
  ConfigMap: "/api/v1/configmaps",
  CronJob: "/apis/batch/v1/cronjobs",
  DaemonSet: "/apis/apps/v1/daemonsets",
  Deployment: "/apis/apps/v1/deployments",
  DeviceClass: "/apis/resource.k8s.io/v1/deviceclasses",
  EndpointSlice: "/apis/discovery.k8s.io/v1/endpointslices",
  Event: "/api/v1/events",
  Gateway: "/apis/gateway.networking.k8s.io/v1/gateways",
  HTTPRoute: "/apis/gateway.networking.k8s.io/v1/httproutes",
  Ingress: "/apis/networking.k8s.io/v1/ingresses",
  Job: "/apis/batch/v1/jobs",
  Lease: "/apis/coordination.k8s.io/v1/leases",
  LimitRange: "/api/v1/limitranges",
  Middleware: "/apis/traefik.io/v1alpha1/middlewares",
  MutatingAdmissionPolicy: "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies",
  MutatingAdmissionPolicyBinding: "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings",
  Namespace: "/api/v1/namespaces",
  NetworkPolicy: "/apis/networking.k8s.io/v1/networkpolicies",
  Node: "/api/v1/nodes",
  PersistentVolumeClaim: "/api/v1/persistentvolumeclaims",
  Pod: "/api/v1/pods",
  PodTemplate: "/api/v1/podtemplates",
  ReplicaSet: "/apis/apps/v1/replicasets",
  ReplicationController: "/api/v1/replicationcontrollers",
  ResourceQuota: "/api/v1/resourcequotas",
  Role: "/apis/rbac.authorization.k8s.io/v1/roles",
  RoleBinding: "/apis/rbac.authorization.k8s.io/v1/rolebindings",
  RuntimeClass: "/apis/node.k8s.io/v1/runtimeclasses",
  Secret: "/api/v1/secrets",
  ServersTransport: "/apis/traefik.io/v1alpha1/serverstransports",
  Service: "/api/v1/services",
  ServiceAccount: "/api/v1/serviceaccounts",
  StatefulSet: "/apis/apps/v1/statefulsets",
  StorageClass: "/apis/storage.k8s.io/v1/storageclasses",
  ValidatingAdmissionPolicy: "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies",
  ValidatingAdmissionPolicyBinding: "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings",
};

describe("the API's kinds", () => {
  it("are where the API server has them", () => {
    const found = Object.fromEntries((Object.keys(kinds) as Kind[]).map((kind) => [kind, listPath(kind)]));
    assert.deepEqual(found, paths);
  });

  it("are within a namespace where one is named", () => {
    assert.equal(listPath("Pod", "bob"), "/api/v1/namespaces/bob/pods");
    assert.equal(listPath("Role", "bob"), "/apis/rbac.authorization.k8s.io/v1/namespaces/bob/roles");
  });

  it("have objects whose names can hold anything", () => {
    assert.equal(
      objectPath({ kind: "RoleBinding", name: "a b/c", namespace: "bob" }),
      "/apis/rbac.authorization.k8s.io/v1/namespaces/bob/rolebindings/a%20b%2Fc",
    );
    assert.equal(objectPath({ kind: "Namespace", name: "bob", namespace: undefined }), "/api/v1/namespaces/bob");
  });

  it("are called by their own names in messages", () => {
    assert.deepEqual(allOf("NetworkPolicy"), {
      what: "the NetworkPolicies",
      path: "/apis/networking.k8s.io/v1/networkpolicies",
      kind: "NetworkPolicy",
    });
    assert.deepEqual(allOf("Ingress", "edge"), {
      what: "the Ingresses of namespace 'edge'",
      path: "/apis/networking.k8s.io/v1/namespaces/edge/ingresses",
      kind: "Ingress",
    });
    assert.deepEqual(oneOf("Secret", "ca", "edge"), {
      what: "the Secret 'edge/ca'",
      path: "/api/v1/namespaces/edge/secrets?fieldSelector=metadata.name%3Dca",
      kind: "Secret",
    });
  });
});
