import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { execa } from "execa";
import { parse } from "yaml";
import { repository } from "../../../sandbox/paths.ts";
import { blocksIn, pages } from "../../unit/docs/pages.ts";

const textOf = (file: string) => readFileSync(join(repository, file), "utf8");

/** Fails unless bash can parse each script. */
const understood = async (scripts: readonly string[]) => {
  for (const script of scripts) {
    await execa("bash", ["-n"], { input: script });
  }
};

it("finds that bash understands the shell in the pages and in the pipeline for GitLab", async () => {
  const pipeline: Record<string, { before_script?: string[]; script?: string[] }> = parse(
    textOf("deploy/gitlab/gitlab-ci.yml"),
  );
  const lines = Object.values(pipeline).flatMap((job) => [job.before_script ?? [], job.script ?? []].flat());
  assert.ok(lines.length > 20);
  // Readers replace <names> before they run a command.
  const scripts = pages.map((page) =>
    blocksIn(page, "sh")
      .join("\n")
      .replaceAll(/<([\w-]+)>/g, "$1"),
  );
  await understood([lines.join("\n"), ...scripts]);
});

describe("docs/run/pull-requests.md", () => {
  it("asks for GitHub's token as docs/run/pull-requests.md says, for the API server to take", async () => {
    const exp = 1_900_000_000;
    const token = ["head", Buffer.from(JSON.stringify({ exp })).toString("base64url"), "signature"].join(".");
    const server = createServer((request, response) => {
      const right =
        request.headers.authorization === "Bearer of-the-job" && request.url === "/token?v=1&audience=kubernetes-prod";
      response.statusCode = right ? 200 : 401;
      response.end(JSON.stringify({ value: token }));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const { args } = parse(textOf("deploy/github/kubeconfig.yaml")).users[0].user.exec;
    const ask = (key: string) =>
      execa(process.execPath, args, {
        env: {
          ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${port}/token?v=1`,
          ACTIONS_ID_TOKEN_REQUEST_TOKEN: key,
        },
        reject: false,
      });
    try {
      assert.deepEqual(JSON.parse((await ask("of-the-job")).stdout), {
        apiVersion: "client.authentication.k8s.io/v1",
        kind: "ExecCredential",
        status: { token, expirationTimestamp: new Date((exp - 30) * 1000).toISOString() },
      });
      const refused = await ask("of-another");
      assert.equal(refused.exitCode, 1);
      assert.match(refused.stderr, /GitHub gave no token: 401/);
    } finally {
      server.close();
    }
  });
});

describe("up.yml", () => {
  const { jobs } = parse(textOf(".github/workflows/up.yml")) as {
    jobs: { up: { steps: { name?: string; run?: string }[] } };
  };

  it("runs an up in up.yml with main's newest commit alone", async () => {
    const script = jobs.up.steps.find(({ name }) => name === "Newest")?.run ?? "";
    const run = (newest: string) =>
      // Replaces GitHub's command line.
      execa("bash", ["-eo", "pipefail", "-c", `gh() { ${newest}; }\n${script}`], {
        env: { GITHUB_SHA: "0123abc", GITHUB_REPOSITORY: "o/r" },
        reject: false,
      });
    assert.equal((await run("echo 0123abc")).exitCode, 0);
    const older = await run("echo 4567def");
    assert.equal(older.exitCode, 1);
    assert.match(older.stdout, /::error::.*main is at 4567def.*approve the newer run/);
    assert.notEqual((await run("return 1")).exitCode, 0);
  });
});
