import assert from "node:assert/strict";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { execa } from "execa";
import { generateKeyPair } from "jose";
import { parse } from "yaml";
import { kubecamp } from "../../commands/kubecamp.ts";
import type { Entry, TestStack } from "../../program/stack.ts";
import { emailIssuer, type TokenClaims, type TokenOptions } from "../../support/signIn/issuer.ts";
import { callerWith, signedIn, whoAmI } from "../../support/signIn/signedIn.ts";

export const signInMembers: readonly Entry[] = [
  { member: "amy", type: "user", groups: ["class-a"] },
  { member: "bob", type: "user", subject: "b0b-4711" },
  { member: "cyd", type: "user", suspended: true },
];

/** Who signs in, with real tokens, to a stack with the members above. */
export function signIn(stack: TestStack): void {
  describe("signing in", () => {
    /** The command line, in the stack's project, as the cluster's admin. */
    const command = (...args: string[]) =>
      kubecamp([...args, "--stack", stack.name], { cwd: stack.folder, env: { KUBECONFIG: stack.sandbox.kubeconfig } });

    /** The user of these claims, as the API server sees it. */
    async function user(claims: TokenClaims, options?: TokenOptions) {
      const { body } = await whoAmI(await signedIn(stack.sandbox, claims, options));
      return (body as { status: { userInfo: unknown } }).status.userInfo;
    }

    /** Status of the API server's answer to a token. */
    const status = async (token: string) => (await whoAmI(callerWith(stack.sandbox, token))).status;

    it("signs a member in as the token's subject and groups, with their prefixes", async () => {
      assert.deepEqual(await user({ sub: "b0b-4711", groups: ["class-a", "staff"] }), {
        username: "oidc:b0b-4711",
        groups: ["oidc:class-a", "oidc:staff", "system:authenticated"],
      });
      assert.deepEqual(await user({ sub: "amy" }), { username: "oidc:amy", groups: ["system:authenticated"] });
    });

    it("lets a member into their own namespace alone, by subject or group, unless suspended", async () => {
      const pods = "/api/v1/namespaces/NAME/configmaps";
      const answers = async (claims: TokenClaims) => {
        const { ask } = await signedIn(stack.sandbox, claims);
        const all = signInMembers.map(({ member }) => ask("GET", pods.replace("NAME", member)));
        return (await Promise.all(all)).map((answer) => answer.status);
      };
      assert.deepEqual(await answers({ sub: "amy" }), [200, 403, 403]);
      assert.deepEqual(await answers({ sub: "b0b-4711" }), [403, 200, 403]);
      assert.deepEqual(await answers({ sub: "zoe", groups: ["class-a"] }), [200, 403, 403]);
      assert.deepEqual(await answers({ sub: "cyd" }), [403, 403, 403]);
      // bob's subject is another, and a group named like a member gives no access.
      assert.deepEqual(await answers({ sub: "bob", groups: ["amy", "oidc:class-a", "oidc:amy"] }), [403, 403, 403]);
    });

    it("takes no token that is expired, forged, for another client or of another issuer", async () => {
      const { issuer } = stack.sandbox;
      const sub = "amy";
      const good = await issuer.token({ sub });
      const [header = "", body = "", signature = ""] = good.split(".");
      const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
      const { privateKey } = await generateKeyPair("RS256");
      const claims = JSON.parse(Buffer.from(body, "base64url").toString()) as object;
      const refused = {
        expired: await issuer.token({ sub }, { expiresIn: -60 }),
        "not valid yet": await issuer.token({ sub, nbf: Math.floor(Date.now() / 1000) + 3600 }),
        "without an end": await issuer.token({ sub, ...({ exp: undefined } as object) }),
        "for another client": await issuer.token({ sub, aud: "grafana" }),
        "for nobody": await issuer.token({ sub, aud: [] }),
        "of another issuer": await issuer.token({ sub, iss: "https://id.example.org" }),
        "of the same server's other issuer": await issuer.token({ sub }, { path: "/other" }),
        "of an issuer that differs by a slash": await issuer.token({ sub, iss: `${issuer.url}/` }),
        "without a subject": await issuer.token({} as TokenClaims),
        "signed by another key": await issuer.token({ sub }, { key: privateKey }),
        unsigned: `${encoded({ alg: "none", typ: "JWT" })}.${body}.`,
        "signed with the public key as a secret": `${encoded({ alg: "HS256", kid: "test" })}.${body}.${signature}`,
        "with the signature of another": `${header}.${encoded({ ...claims, sub: "b0b-4711" })}.${signature}`,
        "without a signature": `${header}.${body}.`,
        "with groups that are none": await issuer.token({ sub, groups: [1] as unknown as string[] }),
        "no token": "bob",
      };
      await signedIn(stack.sandbox, { sub });
      const answers = await Promise.all(
        Object.entries(refused).map(async ([what, token]) => [what, await status(token)] as const),
      );
      assert.deepEqual(
        answers.filter(([, code]) => code !== 401),
        [],
      );
      assert.equal(await status(good), 201);
    });

    it("gives no token the cluster's own names", async () => {
      assert.deepEqual(await user({ sub: "system:admin", groups: ["system:masters", "system:authenticated"] }), {
        username: "oidc:system:admin",
        groups: ["oidc:system:masters", "oidc:system:authenticated", "system:authenticated"],
      });
      const eve = await signedIn(stack.sandbox, { sub: "system:masters", groups: ["system:masters"] });
      assert.equal((await eve.ask("GET", "/api/v1/namespaces/kube-system/secrets")).status, 403);
      assert.equal((await eve.ask("GET", "/api/v1/namespaces/amy/secrets")).status, 403);
    });

    it("gives no token the cluster's own names without prefixes, nor an unverified email address", async () => {
      const { issuer } = stack.sandbox;
      const token = (claims: object) => issuer.token({ sub: "1", ...claims }, { path: emailIssuer });
      const ada = { sub: "1", email: "ada@example.org", email_verified: true };
      assert.deepEqual(await user({ ...ada, groups: ["class-a"] }, { path: emailIssuer }), {
        username: "ada@example.org",
        groups: ["class-a", "system:authenticated"],
      });
      for (const claims of [
        { ...ada, email_verified: false },
        { ...ada, email_verified: "true" },
        { sub: "1", email: "ada@example.org" },
        { sub: "1", email_verified: true },
        { ...ada, email: "system:admin" },
        { ...ada, groups: ["class-a", "system:masters"] },
      ]) {
        assert.equal(await status(await token(claims)), 401, JSON.stringify(claims));
      }
    });

    it("signs in through kubelogin with the kubeconfig that the command prints", async () => {
      const { exitCode, stdout, stderr } = await command("members", "kubeconfig", "bob");
      const { server } = (parse(stdout) as { clusters: { cluster: { server: string } }[] }).clusters[0]?.cluster ?? {};
      assert.equal(exitCode, 0);
      assert.equal(stderr, `Note: ${server} is the machine of whoever uses it: name another with --server.`);
      const asJson = await command("members", "kubeconfig", "bob", "-o", "json");
      assert.deepEqual(JSON.parse(asJson.stdout), parse(stdout));

      const kubeconfig = join(stack.folder, "bob.kubeconfig");
      await writeFile(kubeconfig, stdout);
      const { args, path } = await fakeKubelogin(await stack.sandbox.issuer.token({ sub: "b0b-4711" }));
      const kubectl = (...words: string[]) =>
        execa("kubectl", ["--kubeconfig", kubeconfig, ...words], {
          env: { ...stack.sandbox.env, PATH: `${path}${delimiter}${stack.sandbox.env.PATH}` },
          reject: false,
        });
      const who = await kubectl("auth", "whoami", "-o", "jsonpath={.status.userInfo.username}");
      assert.equal(who.stdout, "oidc:b0b-4711", who.stderr);
      assert.deepEqual((await readFile(args, "utf8")).trimEnd().split("\n"), [
        "get-token",
        `--oidc-issuer-url=${stack.sandbox.issuer.url}`,
        `--oidc-client-id=${stack.sandbox.issuer.clientId}`,
        `--certificate-authority-data=${Buffer.from(stack.sandbox.issuer.ca).toString("base64")}`,
      ]);
      // In bob's namespace.
      const made = await kubectl("create", "configmap", "greeting", "--from-literal=hello=world", "-o", "name");
      assert.equal(made.stdout, "configmap/greeting", made.stderr);
      assert.ok(await stack.sandbox.find("configmap", "greeting", "bob"));
      assert.match((await kubectl("get", "configmaps", "-n", "amy")).stderr, /Forbidden.*"oidc:b0b-4711" cannot list/);
    });

    it("tells whoever has no kubelogin what to install", async () => {
      const kubeconfig = join(stack.folder, "bob.kubeconfig");
      const { exitCode, stderr } = await execa("kubectl", ["--kubeconfig", kubeconfig, "get", "pods"], {
        env: { ...stack.sandbox.env, PATH: stack.sandbox.sandbox.bin },
        extendEnv: false,
        reject: false,
      });
      assert.notEqual(exitCode, 0);
      assert.match(stderr, /You sign in with kubelogin, which is not installed.*\n.*kubectl krew install oidc-login/);
    });

    /** A program in place of kubelogin that records its arguments and prints a token at once. */
    async function fakeKubelogin(token: string) {
      const args = join(stack.folder, "kubelogin.args");
      const credential = {
        apiVersion: "client.authentication.k8s.io/v1",
        kind: "ExecCredential",
        status: { token },
      };
      const program = join(stack.folder, "kubectl-oidc_login");
      await writeFile(program, `#!/bin/sh\nprintf '%s\\n' "$@" > '${args}'\necho '${JSON.stringify(credential)}'\n`);
      await chmod(program, 0o755);
      return { args, path: stack.folder };
    }
  });
}
