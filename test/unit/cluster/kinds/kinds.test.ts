import assert from "node:assert/strict";
import { allOf, listPath, objectPath, oneOf } from "../../../../cluster/kinds/kinds.ts";

describe("the API's kinds", () => {
  it("knows each kind's path at the API server", () => {
    assert.equal(listPath("DeviceClass"), "/apis/resource.k8s.io/v1/deviceclasses");
    assert.equal(listPath("Middleware"), "/apis/traefik.io/v1alpha1/middlewares");
    assert.equal(listPath("RuntimeClass"), "/apis/node.k8s.io/v1/runtimeclasses");
  });

  it("puts a kind's path into the namespace that is named", () => {
    assert.equal(listPath("Pod", "bob"), "/api/v1/namespaces/bob/pods");
    assert.equal(listPath("Role", "bob"), "/apis/rbac.authorization.k8s.io/v1/namespaces/bob/roles");
  });

  it("escapes an object's name in its path", () => {
    const path = objectPath({ kind: "RoleBinding", name: "a b/c", namespace: "bob" });
    assert.equal(path, "/apis/rbac.authorization.k8s.io/v1/namespaces/bob/rolebindings/a%20b%2Fc");
    assert.equal(objectPath({ kind: "Namespace", name: "bob", namespace: undefined }), "/api/v1/namespaces/bob");
  });

  it("calls kinds by their own names in messages", () => {
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
