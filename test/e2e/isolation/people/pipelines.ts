import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { KubeConfig } from "@kubernetes/client-node";
import { execa } from "execa";
import { generateKeyPair } from "jose";
import { parse } from "yaml";
import { repository } from "../../../../sandbox/paths.ts";
import { listening } from "../../../support/listening.ts";
import { kubecamp } from "../../commands/kubecamp.ts";
import type { Entry, TestStack } from "../../program/stack.ts";
import { until } from "../../program/workloads.ts";
import { ciAudience, gitlabIssuer, type TokenOptions } from "../../support/signIn/issuer.ts";
import {
  type Answer,
  assertRefused,
  type Caller,
  callerWith,
  signedIn,
  whoAmI,
  wordsOf,
} from "../../support/signIn/signedIn.ts";
import { inside, workload } from "../hostile/attempt.ts";

const github = "https://token.actions.githubusercontent.com";
const ci = [
  { issuer: "github", repository: "ada/site", ref: "refs/heads/main" },
  { issuer: "github", repository: "ada@1/site@2", environment: "production" },
  { issuer: "school", repository: "class/ada/tools", ref: "refs/tags/v1" },
];
export const pipelineMembers: readonly Entry[] = [
  { member: "ada", type: "user", route: false, groups: ["lab"], ci: [...ci, { token: true }] },
  {
    member: "bob",
    type: "user",
    route: false,
    ci: [{ issuer: "github", repository: "bob/site", ref: "refs/heads/main" }],
  },
];

const main = "ref:refs/heads/main";
const sub = `repo:ada/site:${main}`;
const ofTag = "project_path:class/ada/tools:ref_type:tag:ref:v1";
const push = { iss: github, aud: ciAudience, event_name: "push", ref: "refs/heads/main" };
const pathOf = (account: string) => inside("ada", `serviceaccounts/${account}/token`);

/** What CI jobs may do, in a stack with these settings and members, and others. */
export function pipelines(stack: TestStack, others: readonly Entry[], settings: () => Record<string, unknown>): void {
  describe("CI jobs", () => {
    let job: Caller;
    let ada: Caller;

    /** A job's token, with the claims of a push to GitHub. */
    const token = (claims: Readonly<Record<string, unknown>>, options?: TokenOptions) =>
      stack.sandbox.issuer.token({ sub, ...push, ...claims }, options);
    const jobWith = async (claims: Readonly<Record<string, unknown>>, options?: TokenOptions) =>
      callerWith(stack.sandbox, await token(claims, options));
    /** The same of the school's GitLab. */
    const gitlab = (claims: Readonly<Record<string, unknown>>) => ({
      sub: ofTag,
      iss: stack.sandbox.issuer.url + gitlabIssuer,
      pipeline_source: "push",
      ref_path: "refs/tags/v1",
      ...claims,
    });
    const statusAt = async ({ ask }: Caller, namespace: string) =>
      (await ask("GET", inside(namespace, "configmaps"))).status;
    const up = async (entries: readonly Entry[]) => {
      await stack.configure([...others, ...entries], settings());
      return await stack.upFine();
    };
    const withAda = (more: object) =>
      pipelineMembers.map((entry) => (entry.member === "ada" ? { ...entry, ...more } : entry));

    before(async () => {
      job = await signedIn(stack.sandbox, { sub, ...push });
      ada = await signedIn(stack.sandbox, { sub: "ada" });
      await signedIn(stack.sandbox, { aud: ciAudience, ...gitlab({}) });
    });

    it("prints for CI jobs the configuration that the API server has", async () => {
      const { exitCode, stdout, stderr } = await kubecamp(["cluster", "oidc", "--stack", stack.name], {
        cwd: stack.folder,
        env: { KUBECONFIG: stack.sandbox.kubeconfig },
      });
      assert.deepEqual([exitCode, stderr], [0, ""]);
      const file = JSON.parse(await readFile(join(stack.sandbox.sandbox.folder, "authentication.yaml"), "utf8")) as {
        jwt: { issuer: { url: string; discoveryURL?: string; certificateAuthority?: string } }[];
      };
      const [people, , ...jobs] = file.jwt.map(({ issuer, ...rest }) => {
        const { discoveryURL, certificateAuthority, ...bare } = issuer;
        // GitHub's keys come from the tests' server.
        return discoveryURL === undefined ? { issuer, ...rest } : { issuer: bare, ...rest };
      });
      assert.deepEqual(parse(stdout), { ...file, jwt: [people, ...jobs] });
    });

    it("signs a CI job in as its subject, with the issuer's prefix and without groups", async () => {
      const user = async (claims: Readonly<Record<string, unknown>>) => {
        const { body } = await whoAmI(await jobWith(claims));
        return (body as { status: { userInfo: { username: string; groups: string[] } } }).status.userInfo;
      };
      const { username, groups } = await user({ groups: ["system:masters", "lab"] });
      assert.deepEqual([username, groups], [`github:${sub}`, ["system:authenticated"]]);
      assert.equal((await user(gitlab({}))).username, `${stack.sandbox.issuer.url}/gitlab#${ofTag}`);
    });

    it("lets a CI job deploy into its member's namespace and nowhere else", async () => {
      const made = await job.ask("POST", inside("ada", "deployments"), workload("web"));
      assert.equal(made.status, 201, wordsOf(made));
      for (const claims of [{}, { sub: "repo:ada@1/site@2:environment:production" }, gitlab({})]) {
        const caller = await jobWith(claims);
        assert.deepEqual(
          [await statusAt(caller, "ada"), await statusAt(caller, "bob"), await statusAt(caller, "kube-system")],
          [200, 403, 403],
        );
        for (const [method, path] of [
          ["GET", "/api/v1/pods"],
          ["GET", "/api/v1/namespaces"],
          ["GET", inside("bob", "services")],
          ["POST", inside("ada", "rolebindings")],
          ["POST", inside("ada", "resourcequotas")],
          ["POST", pathOf("kubecamp-ci")],
        ] as const) {
          assert.equal((await caller.ask(method, path, method === "POST" ? {} : undefined)).status, 403, path);
        }
      }
      assert.equal(await statusAt(await jobWith({ sub: "repo:bob/site:ref:refs/heads/main" }), "bob"), 200);
    });

    for (const [what, other] of Object.entries({
      "another repository": "repo:ada/other:ref:refs/heads/main",
      "another owner": "repo:eve/site:ref:refs/heads/main",
      "a repository that was made anew": "repo:ada@1/site@3:environment:production",
      "another branch": "repo:ada/site:ref:refs/heads/dev",
      "a branch that begins so": "repo:ada/site:ref:refs/heads/main2",
      "a tag of that name": "repo:ada/site:ref:refs/tags/main",
      "another environment": "repo:ada/site:environment:production",
      "a pull request": "repo:ada/site:pull_request",
      "a name of other capitals": "repo:Ada/Site:ref:refs/heads/main",
      "another issuer's form": ofTag,
    })) {
      it(`gives a CI job no access for ${what}`, async () => {
        const caller = await jobWith({ sub: other });
        assert.deepEqual([await statusAt(caller, "ada"), await statusAt(caller, "bob")], [403, 403]);
      });
    }

    it("refuses a CI job's token that is expired, for others, of another key or for a proposal", async () => {
      const { privateKey: key } = await generateKeyPair("RS256");
      const refused = {
        expired: await token({}, { expiresIn: -60 }),
        "for another audience": await token({ aud: "https://other.example.org" }),
        "for people's client": await token({ aud: stack.sandbox.issuer.clientId }),
        "of another key": await token({}, { key }),
        "of another GitHub": await token({ iss: "https://github.example.org/_services/token" }),
        "of an issuer that differs by a slash": await token({ iss: `${github}/` }),
        "for a pull request": await token({ event_name: "pull_request" }),
        "for a pull request's target": await token({ event_name: "pull_request_target" }),
        "for a review": await token({ event_name: "pull_request_review" }),
        "for a comment": await token({ event_name: "issue_comment" }),
        "after another workflow": await token({ event_name: "workflow_run" }),
        "for an event to come": await token({ event_name: "proposal" }),
        "without an event": await token({ event_name: undefined }),
        "at a proposal's merge": await token({ ref: "refs/pull/7/merge" }),
        "without a ref": await token({ ref: undefined }),
        "for a merge request": await token(gitlab({ pipeline_source: "merge_request_event" })),
        "for another host's pull request": await token(gitlab({ pipeline_source: "external_pull_request_event" })),
        "of a child pipeline": await token(gitlab({ pipeline_source: "parent_pipeline" })),
        "at a merge request's head": await token(gitlab({ ref_path: "refs/merge-requests/7/head" })),
        "of a pipeline without a ref": await token(gitlab({ ref_path: undefined })),
        "of a pipeline without a source": await token(gitlab({ pipeline_source: undefined })),
        "without a subject": await token({ sub: undefined }),
      };
      const answers = await Promise.all(
        Object.entries(refused).map(
          async ([what, each]) => [what, (await whoAmI(callerWith(stack.sandbox, each))).status] as const,
        ),
      );
      assert.deepEqual(
        answers.filter(([, status]) => status !== 401),
        [],
      );
    });

    it("lets a CI job deploy for each event that only writers of the repository start", async () => {
      const events = ["push", "release", "repository_dispatch", "schedule", "workflow_dispatch"];
      const sources = ["api", "pipeline", "push", "schedule", "trigger", "web"];
      const tokens = [
        ...events.map((event) => token({ event_name: event })),
        ...sources.map((source) => token(gitlab({ pipeline_source: source }))),
      ];
      const callers = (await Promise.all(tokens)).map((each) => callerWith(stack.sandbox, each));
      const statuses = await Promise.all(callers.map((caller) => statusAt(caller, "ada")));
      assert.deepEqual(new Set(statuses), new Set([200]));
    });

    it("gives no access to a subject of a CI job that another issuer or a person forges", async () => {
      const forged = [
        gitlab({ sub }),
        gitlab({ sub: `github:${sub}` }),
        { sub: ofTag },
        { sub: "ada" },
        { sub: "oidc:ada" },
        { iss: stack.sandbox.issuer.url, aud: stack.sandbox.issuer.clientId },
        { iss: stack.sandbox.issuer.url, aud: stack.sandbox.issuer.clientId, sub: `github:${sub}` },
      ];
      for (const claims of forged) {
        const caller = await jobWith(claims);
        assert.equal((await whoAmI(caller)).status, 201, JSON.stringify(claims));
        assert.equal(await statusAt(caller, "ada"), 403, JSON.stringify(claims));
      }
    });

    describe("of docs/run/pipelines.md", () => {
      const page = readFileSync(join(repository, "docs/run/pipelines.md"), "utf8");
      const [workflow, pipeline] = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)]
        .slice(2)
        .map(([, text = ""]) => parse(text));
      let folder = "";
      let env: Record<string, string> = {};
      const isMade = async (name: string) => (await stack.sandbox.find("configmap", name, "ada")) !== undefined;
      /** Runs a job's script where it has its checkout, with a manifest to deploy. */
      async function run(script: string, more: Record<string, string>, name: string): Promise<void> {
        const manifest = { apiVersion: "v1", kind: "ConfigMap", metadata: { name } };
        await mkdir(join(folder, "deploy"), { recursive: true });
        await writeFile(join(folder, "deploy/app.json"), JSON.stringify(manifest));
        await execa("bash", ["-e", "-o", "pipefail", "-c", script], { cwd: folder, env: { ...env, ...more } });
      }

      before(async () => {
        folder = await mkdtemp(join(stack.folder, "checkout-"));
        const config = new KubeConfig();
        config.loadFromFile(stack.sandbox.kubeconfig);
        const { server = "", caFile = "" } = config.getCurrentCluster() ?? {};
        const { PATH = "" } = stack.sandbox.env;
        env = {
          PATH,
          KUBECONFIG: join(folder, "config"),
          KUBE_SERVER: server,
          KUBE_CA: await readFile(caFile, "utf8"),
        };
      });

      it("deploys from GitHub with the workflow of docs/run/pipelines.md", async () => {
        const given = await token({});
        const server = createServer((request, response) => {
          const { pathname, searchParams } = new URL(request.url ?? "", "http://127.0.0.1");
          const isRight =
            request.headers.authorization === "Bearer of-the-job" &&
            pathname === "/token" &&
            searchParams.get("v") === "1" &&
            searchParams.get("audience") === ciAudience;
          response.statusCode = isRight ? 200 : 401;
          response.end(JSON.stringify({ value: given }));
        });
        const port = await listening(server);
        const { AUDIENCE, NAMESPACE } = workflow.jobs.deploy.env;
        const [, signIn, deploy] = workflow.jobs.deploy.steps as { run: string }[];
        const ofJob = {
          ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${port}/token?v=1`,
          ACTIONS_ID_TOKEN_REQUEST_TOKEN: "of-the-job",
          GITHUB_ENV: join(folder, "env"),
          RUNNER_TEMP: folder,
        };
        try {
          await run(signIn?.run ?? "", { AUDIENCE, NAMESPACE, ...ofJob }, "from-github");
          const [, kubeconfig = ""] = /^KUBECONFIG=(.*)$/m.exec(await readFile(ofJob.GITHUB_ENV, "utf8")) ?? [];
          await run(deploy?.run ?? "", { KUBECONFIG: kubeconfig }, "from-github");
        } finally {
          server.close();
        }
        assert.ok(await isMade("from-github"));
      });

      it("deploys from GitLab with the pipeline of docs/run/pipelines.md", async () => {
        const script = (pipeline.deploy.script as string[]).join("\n");
        await run(script, { KUBE_TOKEN: await token(gitlab({})) }, "from-gitlab");
        assert.ok(await isMade("from-gitlab"));
      });
    });

    describe("without an issuer", () => {
      const requested = (spec: object = {}, by: Caller = ada, account = "kubecamp-ci") =>
        by.ask("POST", pathOf(account), { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec });
      const refused = async (answer: Promise<Answer>, words: RegExp) => assertRefused(await answer, words);
      let account: Caller;

      before(async () => {
        // The API server takes a second to put policies in force.
        await until(async () => (await requested({ expirationSeconds: 7200 })).status === 403);
        const { stdout, exitCode, stderr } = await ada.kubectl(["create", "token", "kubecamp-ci", "-n", "ada"]);
        assert.equal(exitCode, 0, stderr);
        account = callerWith(stack.sandbox, stdout.trim());
      });

      it("makes a token for CI jobs for an hour, with the member's rights in their namespace alone", async () => {
        const { iat, exp } = JSON.parse(
          Buffer.from(tokenIn(await requested()).split(".")[1] ?? "", "base64url").toString(),
        ) as { iat: number; exp: number };
        assert.equal(exp - iat, 3600);
        assert.deepEqual([await statusAt(account, "ada"), await statusAt(account, "bob")], [200, 403]);
        assert.equal((await requested({ expirationSeconds: 600 })).status, 201);
        const friend = await signedIn(stack.sandbox, { sub: "zoe", groups: ["lab"] });
        assert.equal((await requested({}, friend)).status, 201);
      });

      it("refuses a token for CI jobs for more than an hour, or for another audience", async () => {
        for (const seconds of [3601, 3607, 86_400]) {
          await refused(requested({ expirationSeconds: seconds }), /is good for an hour at most/);
        }
        await refused(requested({ audiences: ["vault"] }), /is for the API server alone, and not for vault/);
        const both = ["https://kubernetes.default.svc.cluster.local", "vault"];
        await refused(requested({ audiences: both }), /is for the API server alone/);
        const { stderr } = await ada.kubectl(["create", "token", "kubecamp-ci", "-n", "ada", "--duration=2h"]);
        assert.match(stderr, /leave --duration out/);
      });

      it("refuses a token of another ServiceAccount or member, or by the token itself", async () => {
        const bob = await signedIn(stack.sandbox, { sub: "bob" });
        for (const answer of [
          requested({}, ada, "default"),
          requested({}, bob),
          requested({}, account),
          requested({}, job),
        ]) {
          await refused(answer, /cannot create resource "serviceaccounts\/token"/);
        }
      });

      it("refuses a pod with the ServiceAccount of CI jobs, and a Secret with its token", async () => {
        const containers = [{ name: "web", image: "nginx:1.27" }];
        const pod = { metadata: { name: "spy" }, spec: { serviceAccountName: "kubecamp-ci", containers } };
        await refused(ada.ask("POST", inside("ada", "pods"), pod), /is for CI jobs: leave serviceAccountName out/);
        const annotations = { "kubernetes.io/service-account.name": "kubecamp-ci" };
        const secret = { type: "kubernetes.io/service-account-token", metadata: { name: "token", annotations } };
        await refused(ada.ask("POST", inside("ada", "secrets"), secret), /a token that never ends/);
        // A namespace may have one from before it was a member's.
        const byDefault = { "kubernetes.io/service-account.name": "default" };
        const earlier = { name: "earlier", namespace: "ada", annotations: byDefault };
        await stack.sandbox.apply({ apiVersion: "v1", kind: "Secret", ...secret, metadata: earlier });
        const other = { metadata: { annotations } };
        await refused(ada.ask("PATCH", inside("ada", "secrets/earlier"), other, merge), /a token that never ends/);
        const label = { metadata: { labels: { mine: "yes" } } };
        assert.equal((await ada.ask("PATCH", inside("ada", "secrets/earlier"), label, merge)).status, 200);
        assert.equal((await ada.ask("PATCH", inside("ada", "serviceaccounts/kubecamp-ci"), {}, merge)).status, 403);
      });

      it("ends the access of CI jobs and their tokens with a suspension", async () => {
        await up(withAda({ suspended: true }));
        for (const caller of [ada, job, account]) {
          assert.equal(await statusAt(caller, "ada"), 403);
        }
        await refused(requested(), /cannot create resource "serviceaccounts\/token"/);
        await up(pipelineMembers);
        for (const caller of [ada, job, account]) {
          assert.equal(await statusAt(caller, "ada"), 200);
        }
      });

      it("ends the access of CI jobs and their tokens with the entry in the list", async () => {
        await up(withAda({ ci: ci.slice(1) }));
        assert.equal(await statusAt(job, "ada"), 403);
        assert.equal(await statusAt(await jobWith(gitlab({})), "ada"), 200);
        // The API server remembers for ten seconds whose a token is: a slow up may take longer.
        assert.ok([401, 403].includes(await statusAt(account, "ada")));
        await until(async () => (await statusAt(account, "ada")) === 401);
      });
    });

    // In a describe of its own: mocha runs a suite's own tests before those of nested suites.
    describe("later", () => {
      it("mends a binding of CI jobs that lets in another, and changes nothing else", async () => {
        const stranger = { apiGroup: "rbac.authorization.k8s.io", kind: "User", name: `github:repo:eve/site:${main}` };
        const eve = await jobWith({ sub: `repo:eve/site:${main}` });
        const change = [{ op: "add", path: "/subjects/-", value: stranger }];
        await stack.sandbox.patch("rolebinding", "kubecamp:ci", "ada", change);
        await until(async () => (await statusAt(eve, "ada")) === 200);
        const { output, steps } = await up(withAda({ ci: ci.slice(1) }));
        assert.match(output, /RoleBinding ada\/kubecamp:ci/);
        assert.deepEqual(steps, ["update kubernetes:rbac.authorization.k8s.io/v1:RoleBinding ada/ci"]);
        assert.deepEqual([await statusAt(eve, "ada"), await statusAt(await jobWith(gitlab({})), "ada")], [403, 200]);
      });
    });
  });
}

const merge = "application/merge-patch+json";
const tokenIn = ({ body }: Answer) => (body as { status: { token: string } }).status.token;
