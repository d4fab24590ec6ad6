import assert from "node:assert/strict";
import { join } from "node:path";
import { RunError } from "@pulumi/pulumi/errors.js";
import { stringify } from "yaml";
import { Problem } from "../../../../../commands/common/problem.ts";
import { issuingOf, readStack } from "../../../../../commands/common/stackFile.ts";
import {
  type KubeconfigOptions,
  kubeconfigFor,
  memberKubeconfig,
  notesOn,
} from "../../../../../commands/members/kubeconfig/memberKubeconfig.ts";
import { serverCertificate } from "../../../certificates.ts";
import { configuration, route } from "../../../samples.ts";
import { project, useFolder } from "../../../testFolder.ts";
import { stackFile } from "../../stackFile.ts";

const oidc = { issuerUrl: "https://id.example.org", clientId: "kubernetes" };
const whole = { usernameClaim: "sub", groupsClaim: "groups", usernamePrefix: "", groupsPrefix: "" };
const secure = "AAABADhQ";
const members = [
  { member: "bob", type: "user" },
  { member: "carol", type: "user", suspended: true },
  { member: "dave", type: "user", expires: "2020-02-29" },
];

describe("a member's kubeconfig, from the files of a project", () => {
  /** A stack with such settings beside what every stack must say. */
  const stack = (settings: Record<string, unknown>, more: object = {}) =>
    stackFile({ route, members, ...settings }, more);
  const environment = { environment: ["camp/prod"] };
  const folder = useFolder({
    ...project,
    "Pulumi.prod.yaml": stack({ oidc }),
    "Pulumi.other.yaml": stack({ oidc, cluster: { context: "b" } }),
    "Pulumi.plain.yaml": stack({}),
    "Pulumi.wrong.yaml": stack({ oidc: { ...oidc, issuerUrl: "http://id.example.org" } }),
    "Pulumi.secret.yaml": stack({ oidc: { ...oidc, clientId: { secure } } }),
    "Pulumi.hidden.yaml": stack({ oidc, members: { secure } }),
    "Pulumi.esc.yaml": stack({ oidc }, environment),
    "Pulumi.escwhole.yaml": stack({ oidc: { ...oidc, ...whole } }, environment),
    "admin.kubeconfig": stringify({
      clusters: ["a", "b"].map((name) => ({ name, cluster: { server: `https://${name}.example.org` } })),
      contexts: ["a", "b"].map((name) => ({ name, context: { cluster: name, user: "admin" } })),
      users: [{ name: "admin", user: { token: "the-admins-own" } }],
      "current-context": "a",
    }),
    "empty/.keep": "",
  });

  /** The admin has two contexts, and the first is the current one. */
  const made = (name: string, options: Partial<KubeconfigOptions> = {}) =>
    kubeconfigFor(name, { stack: "prod", ...options }, folder.path, {
      env: { KUBECONFIG: join(folder.path, "admin.kubeconfig") },
      serviceAccount: folder.path,
    });
  const serverOf = (...args: Parameters<typeof made>) => made(...args).kubeconfig.clusters[0]?.cluster.server;

  it("leads to the cluster of the context that is named, the stack's, or the current one", () => {
    assert.equal(serverOf("bob"), "https://a.example.org");
    assert.equal(serverOf("bob", { stack: "other" }), "https://b.example.org");
    assert.equal(serverOf("bob", { stack: "other", context: "a" }), "https://a.example.org");
  });

  it("a kubeconfig comes with why it opens nothing, or leads nowhere", () => {
    const closed = "the kubeconfig gives no access until that changes and 'pulumi up' has run.";
    assert.deepEqual(made("bob").notes, []);
    assert.deepEqual(made("carol").notes, [`carol is suspended; ${closed}`]);
    assert.deepEqual(made("dave").notes, [`dave's last day was 2020-02-29; ${closed}`]);
    assert.deepEqual(made("bob", { server: "https://127.0.0.1:6443" }).notes, [
      "https://127.0.0.1:6443 is the machine of whoever uses it: name another with --server.",
    ]);
  });

  it("a kubeconfig is not made for nobody, and the message says who there is", () => {
    for (const [name, options, words] of [
      ["bobb", {}, /^There is no member 'bobb' in stack 'prod'; did you mean 'bob'\? The list has bob, carol, dave\./],
      ["bob", { stack: "hidden" }, /^There is no member 'bob' in stack 'hidden'\. .*the rest is encrypted/],
      [
        "bob",
        { stack: "prd" },
        /^There is no stack 'prd' in this folder; did you mean 'prod'\? Pulumi\.prd\.yaml does/,
      ],
    ] as const) {
      assert.throws(() => made(name, options), reported(words));
    }
    assert.throws(
      () => made("bob", { context: "c" }),
      (error) => RunError.isInstance(error) && /^--context: 'c' is no context .*\(it has a, b\)/.test(error.message),
    );
  });

  it("a kubeconfig is not made where nobody knows how to sign in", () => {
    for (const [name, words] of [
      [
        "plain",
        /^Stack 'plain' does not say how .* no issuerUrl and no clientId\. Set both: .* docs\/run\/sign-in\.md/,
      ],
      ["wrong", /^The configuration of stack 'wrong' has mistakes\. Pulumi\.wrong\.yaml:\d+: oidc\.issuerUrl: "http:/],
      [
        "secret",
        /^How members .* can't be read\. Something in oidc is encrypted in Pulumi\.secret\.yaml.* none is a secret/,
      ],
      [
        "esc",
        /^How members .* can't be read\. Something in oidc is encrypted in Pulumi\.esc\.yaml, or may be set by an environment.* Set every key of kubecamp:oidc/,
      ],
    ] as const) {
      assert.throws(() => issuingOf(readStack(name, folder.path)), reported(words));
    }
    assert.deepEqual(issuingOf(readStack("escwhole", folder.path)), { ...oidc, ...whole, scopes: [] });
    assert.throws(
      () => readStack("prod", join(folder.path, "empty")),
      reported(/^There is no Pulumi project in this folder\./),
    );
  });
});

/** Whether a Problem says such words, with its why and its way out. */
const reported = (words: RegExp) => (error: unknown) => {
  assert.ok(error instanceof Problem, String(error));
  assert.match(`${error.message} ${error.why} ${error.remedy}`, words);
  return true;
};

const issuing = { issuerUrl: "https://id.example.org", clientId: "kubernetes" };
const address = { server: "https://k8s.example.org:6443" };

const made = (oidc: object, at: Parameters<typeof memberKubeconfig>[3] = address, name = "bob") => {
  const subject = "bob@example.org";
  const own = name === "bob" ? ["bob"] : ["bob", name];
  const eve = { member: "eve", type: "user", subject: "eve@example.org" };
  const file = configuration({ members: [...own.map((member) => ({ member, type: "user", subject })), eve], oidc });
  const member = file.members.find((each) => each.name === name) ?? assert.fail(name);
  return memberKubeconfig(member, { stack: "prod", configuration: file }, { ...file.settings.oidc, ...issuing }, at);
};

/** The arguments that kubelogin gets. */
const args = (oidc: object) => made({ ...issuing, ...oidc }).users[0]?.user.exec.args;

describe("notes on a member's kubeconfig", () => {
  it("tell that Google has no client for it", () => {
    const notes = (issuerUrl: string) => {
      const { settings, members } = configuration({
        members: [{ member: "bob", type: "user" }],
        oidc: { issuerUrl, clientId: "camp" },
      });
      return members.flatMap((member) => notesOn(member, address.server, settings.oidc));
    };
    assert.deepEqual(notes("https://accounts.google.com"), [
      "Google wants a client secret, which a member's kubeconfig does not have, and puts no groups into tokens; put Dex in front of it (docs/run/sign-in.md).",
    ]);
    assert.deepEqual(notes("https://accounts.google.com.example.org"), []);
  });
});

describe("a member's kubeconfig", () => {
  it("has a context for each environment of the person, and one sign-in", () => {
    const { contexts, users, ...rest } = made(issuing, address, "bob-thesis");
    assert.deepEqual(
      contexts.map(({ name, context: { user, namespace } }) => [name, user, namespace]),
      [
        ["kubecamp-prod-bob", "kubecamp-prod-bob", "bob"],
        ["kubecamp-prod-bob-thesis", "kubecamp-prod-bob", "bob-thesis"],
      ],
    );
    assert.deepEqual([rest["current-context"], users.length], ["kubecamp-prod-bob-thesis", 1]);
  });

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
