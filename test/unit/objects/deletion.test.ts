import assert from "node:assert/strict";
import { ca } from "../certificates.ts";
import { everyObject, type KubernetesObject, sharedObjects } from "../everyObject.ts";
import { atOnce, configuration, storage } from "../samples.ts";

const entry = { member: "bob", type: "user", starter: "kept", buckets: [{ name: "data" }] };
const https = { host: "camp.example.org", rewrite: "strip", backendProtocol: "HTTPS", backendTls: { ca } };
const gateway = { kind: "gateway", namespace: "gateways", gateway: { name: "public" } };
const cosi = { kind: "cosi", version: "v1alpha1", bucketClassName: "standard", bucketAccessClassName: "keys" };
const starter = { image: "ghcr.io/example/start:1" };

const stacks: readonly object[] = [
  { route: { ...https, controller: "traefik", place: "controller" }, storage, starter },
  { route: { ...https, ...gateway }, storage: cosi, starter },
];

describe("what Pulumi deletes", () => {
  it("deletes everything that kubecamp makes at once, whatever names it as its owner", () => {
    const objects = stacks.flatMap((stack) => {
      const { settings, members } = configuration({ ...stack, members: [entry] });
      return [...members.flatMap((member) => everyObject(member, settings)), ...sharedObjects(settings)];
    });
    assert.deepEqual([...new Set(objects.map(({ kind }) => kind))].sort(), [
      ...["BackendTLSPolicy", "BucketAccess", "BucketClaim", "ClusterRole", "ClusterRoleBinding", "ConfigMap"],
      ...["Deployment", "HTTPRoute", "Ingress", "LimitRange", "Middleware", "Namespace", "NetworkPolicy"],
      ...["ResourceQuota", "Role", "RoleBinding", "Secret", "ServersTransport", "Service", "ServiceAccount"],
      ...["ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"],
    ]);
    assert.deepEqual(objects.filter(waits).map(nameOf), []);
  });
});

const nameOf = ({ kind, metadata }: KubernetesObject) => `${kind} ${metadata.name}`;

function waits({ metadata }: KubernetesObject): boolean {
  const { annotations = {} } = metadata as { annotations?: Readonly<Record<string, string>> };
  return Object.entries(atOnce).some(([key, value]) => annotations[key] !== value);
}
