import {
  type Ask,
  abroad,
  change,
  create,
  deploy,
  type Group,
  get,
  home,
  inside,
  named,
  policy,
  rbac,
  refused,
  run,
} from "./attempt.ts";

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

/** An API server without certificates for pods drops the source's only field. */
const certified = {
  volumes: [
    {
      name: "keys",
      projected: {
        sources: [
          {
            podCertificate: {
              signerName: "kubernetes.io/kube-apiserver-client-pod",
              keyType: "ED25519",
              credentialBundlePath: "pair.pem",
            },
          },
        ],
      },
    },
  ],
};

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
    ...refused(rbac("create", `clusterrolebindings.${api}`), {
      "binds themselves to cluster-admin in the whole cluster": create(
        `/apis/${api}/v1/clusterrolebindings`,
        named("mine", { roleRef: roleRef("ClusterRole", "cluster-admin"), subjects: me }),
      ),
    }),
    ["widens their own role", change("roles/kubecamp-edit", { rules: everything }), rbac("patch", `roles.${api}`)],
    ...refused(rbac("create", `clusterroles.${api}`), {
      "has a ClusterRole of theirs aggregated into Kubernetes' own": create(
        `/apis/${api}/v1/clusterroles`,
        named("mine", {
          metadata: { name: "mine", labels: { [`${api}/aggregate-to-view`]: "true" } },
          rules: everything,
        }),
      ),
    }),
    ...refused(impersonate, {
      "impersonates the victim": kubectl(...secrets, "--as=oidc:vic"),
      "impersonates a member of system:masters": kubectl(...secrets, "--as=oidc:mallory", "--as-group=system:masters"),
    }),
    ...refused(rbac("create", "serviceaccounts/token"), {
      "makes a token for a ServiceAccount of kube-system": create(
        inside("kube-system", "serviceaccounts/default/token"),
        { spec: {} },
      ),
    }),
    ...refused(rbac("create", "certificatesigningrequests.certificates.k8s.io"), {
      "asks for a client certificate for the API server": create(
        "/apis/certificates.k8s.io/v1/certificatesigningrequests",
        named("me", {
          spec: {
            request: Buffer.from(request).toString("base64"),
            signerName: "kubernetes.io/kube-apiserver-client",
            usages: ["client auth"],
          },
        }),
      ),
    }),
    ...refused(policy("pods", "(Pod|Deployment) 'certified' has a source in the projected volume 'keys'"), {
      "has a pod's node ask for a certificate": run("certified", certified),
      "has the nodes of a Deployment's pods ask for certificates": deploy("certified", certified),
    }),
  ],
  controls: {
    "sees their own role": get(home("roles/kubecamp-edit")),
  },
};
