import type { Ask } from "./attempt.ts";
import { abroad, create, type Group, get, home, inside, named, patch, rbac } from "./attempt.ts";

const api = "rbac.authorization.k8s.io";
const me = [{ kind: "User", name: "oidc:mallory", apiGroup: api }];
const roleRef = (kind: string, name: string) => ({ apiGroup: api, kind, name });
const everything = [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }];

/** For `O=lab, CN=mallory`; nobody kept the private key. */
const request = `-----BEGIN CERTIFICATE REQUEST-----
MIHbMIGCAgEAMCAxDDAKBgNVBAoMA2xhYjEQMA4GA1UEAwwHbWFsbG9yeTBZMBMG
ByqGSM49AgEGCCqGSM49AwEHA0IABKVHKKhoWYRaj6/YNVg3yncQANW6CH79dS3k
tgXYXa/plD8rA43rASfB6eqFAteedXoTL+noVjZEQ+/dRpL+i+GgADAKBggqhkjO
PQQDAgNIADBFAiEAxEA8SJXCZ8Jh2rVJn2rMZtjmE7Si5yMrIDLrWMtV+QACIEuP
p3uG66c+sPQbyWE3VinqpTn0H9t6edeydDSZVrPN
-----END CERTIFICATE REQUEST-----
`;

/** The real kubectl, which sends the headers and prints the API server's answer. */
const kubectl =
  (...args: string[]): Ask =>
  async (caller) => {
    const { exitCode, stderr } = await caller.kubectl(args);
    return { status: exitCode === 0 ? 200 : 403, body: { message: stderr } };
  };
/** The API server looks for rights to single requests first, then for those to all. */
const impersonate = /User "oidc:mallory" cannot impersonate(-on:[-:\w]+)? resource/;
/** By its path, or kubectl would ask first which kinds there are, and swallow that answer's words. */
const secrets = ["get", "--raw", abroad("secrets")];

/** Roles and impersonation. */
export const identities: Group = {
  on: "roles and identities",
  attempts: [
    [
      "binds themselves to cluster-admin",
      create(
        `/apis/${api}/v1/clusterrolebindings`,
        named("mine", { roleRef: roleRef("ClusterRole", "cluster-admin"), subjects: me }),
      ),
      rbac("create", `clusterrolebindings.${api}`),
    ],
    [
      "lets a friend in",
      patch(home("rolebindings/kubecamp-edit"), {
        subjects: [...me, { kind: "User", name: "oidc:gus", apiGroup: api }],
      }),
      rbac("patch", `rolebindings.${api}`),
    ],
    ["makes a role", create(home("roles"), named("all", { rules: everything })), rbac("create", `roles.${api}`)],
    ["impersonates the victim", kubectl(...secrets, "--as=oidc:vic"), impersonate],
    [
      "impersonates the masters of the cluster",
      kubectl(...secrets, "--as=oidc:mallory", "--as-group=system:masters"),
      impersonate,
    ],
    [
      "impersonates a controller",
      kubectl(...secrets, "--as=system:serviceaccount:kube-system:namespace-controller"),
      impersonate,
    ],
    [
      "impersonates the default ServiceAccount at home",
      kubectl(...secrets, "--as=system:serviceaccount:mallory:default"),
      impersonate,
    ],
    [
      "has a token made for a ServiceAccount of kube-system",
      create(inside("kube-system", "serviceaccounts/default/token"), { spec: {} }),
      rbac("create", "serviceaccounts/token"),
    ],
    [
      "asks for a client certificate of the masters",
      create(
        "/apis/certificates.k8s.io/v1/certificatesigningrequests",
        named("me", {
          spec: {
            request: Buffer.from(request).toString("base64"),
            signerName: "kubernetes.io/kube-apiserver-client",
            usages: ["client auth"],
          },
        }),
      ),
      rbac("create", "certificatesigningrequests.certificates.k8s.io"),
    ],
  ],
  controls: [
    ["sees their own role", get(home("roles/kubecamp-edit"))],
    [
      "asks what they may do themselves",
      create("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", {
        spec: { resourceAttributes: { verb: "get", resource: "secrets" } },
      }),
    ],
  ],
};
