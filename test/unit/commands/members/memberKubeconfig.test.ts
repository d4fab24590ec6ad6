import assert from "node:assert/strict";
import { memberKubeconfig } from "../../../../commands/members/memberKubeconfig.ts";
import { serverCertificate } from "../../certificates.ts";
import { configuration } from "../../samples.ts";

const issuing = { issuerUrl: "https://id.example.org", clientId: "kubernetes" };
const address = { server: "https://k8s.example.org:6443" };

const made = (oidc: object, at: Parameters<typeof memberKubeconfig>[3] = address) =>
  memberKubeconfig("bob", "prod", { ...configuration({ members: [], oidc }).settings.oidc, ...issuing }, at);

/** The arguments that kubelogin gets. */
const args = (oidc: object) => made({ ...issuing, ...oidc }).users[0]?.user.exec.args;

describe("a member's kubeconfig", () => {
  it("leads to their namespace by way of kubelogin, and has no credentials", () => {
    const kubeconfig = made(issuing);
    assert.match(kubeconfig.users[0]?.user.exec.installHint ?? "", /kubectl krew install oidc-login/);
    const name = "kubecamp-prod-bob";
    assert.deepEqual(kubeconfig, {
      apiVersion: "v1",
      kind: "Config",
      clusters: [{ name: "kubecamp-prod", cluster: { server: "https://k8s.example.org:6443" } }],
      users: [
        {
          name,
          user: {
            exec: {
              apiVersion: "client.authentication.k8s.io/v1",
              command: "kubectl-oidc_login",
              args: ["get-token", "--oidc-issuer-url=https://id.example.org", "--oidc-client-id=kubernetes"],
              installHint: kubeconfig.users[0]?.user.exec.installHint,
              interactiveMode: "IfAvailable",
              provideClusterInfo: false,
            },
          },
        },
      ],
      contexts: [{ name, context: { cluster: "kubecamp-prod", user: name, namespace: "bob" } }],
      "current-context": name,
    });
  });

  it("a kubeconfig has the cluster's CA and the name in its certificate, where they are needed", () => {
    const { clusters } = made(issuing, { ...address, ca: serverCertificate, tlsServerName: "kubernetes" });
    assert.deepEqual(clusters, [
      {
        name: "kubecamp-prod",
        cluster: {
          server: "https://k8s.example.org:6443",
          "certificate-authority-data": Buffer.from(serverCertificate).toString("base64"),
          "tls-server-name": "kubernetes",
        },
      },
    ]);
  });

  it("asks for the scopes that the stack wants, and for the address where that is the user", () => {
    const common = ["get-token", "--oidc-issuer-url=https://id.example.org", "--oidc-client-id=kubernetes"];
    assert.deepEqual(args({ scopes: ["groups", "offline_access"] }), [
      ...common,
      "--oidc-extra-scope=groups",
      "--oidc-extra-scope=offline_access",
    ]);
    assert.deepEqual(args({ usernameClaim: "email" }), [...common, "--oidc-extra-scope=email"]);
    assert.deepEqual(args({ usernameClaim: "email", scopes: ["groups", "email"] }), [
      ...common,
      "--oidc-extra-scope=email",
      "--oidc-extra-scope=groups",
    ]);
  });
});
