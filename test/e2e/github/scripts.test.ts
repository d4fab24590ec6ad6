import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { repository } from "../../../sandbox/paths.ts";
import { FakeGitHub } from "./fakeGitHub.ts";

let github: FakeGitHub;
let folder: string;
beforeEach(async () => {
  github = new FakeGitHub();
  await github.start();
  folder = await mkdtemp(join(tmpdir(), "kubecamp-github-"));
});
afterEach(async () => {
  github.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a script as a workflow does, with files of these contents as arguments. */
async function run(script: string, contents: readonly string[], env: Record<string, string> = {}) {
  const files = contents.map((_, at) => join(folder, `${at}`));
  await Promise.all(files.map((file, at) => writeFile(file, contents[at] ?? "")));
  const result = await execa(process.execPath, [join(repository, ".github/scripts", script), ...files], {
    env: { PATH: process.env.PATH ?? "", ...github.env, ...env },
    extendEnv: false,
    reject: false,
  });
  return { exitCode: result.exitCode, output: `${result.stdout}\n${result.stderr}` };
}

const bodies = (posts: readonly { readonly body: string }[]) => posts.map(({ body }) => body);

describe(".github/scripts/comment.ts", () => {
  const ofProd = "<!-- kubecamp report: prod -->";
  const report = `${ofProd}\n**2 join**\n`;
  const body = `${ofProd}\n**2 join**\n\n0123abc: [all of it, as a file, and the log](https://github.example.org/o/r/actions/runs/42)\n`;
  const of = { PULL_REQUEST: "7", STACK: "prod", COMMIT: "0123abcdef" };
  const comment = (text = report, env = {}) => run("comment.ts", [text], { ...of, ...env });

  it("writes one comment on a pull request, and brings that up to date from then on", async () => {
    assert.equal((await comment()).exitCode, 0);
    assert.deepEqual(bodies(github.comments), [body]);
    assert.equal((await comment(report.replace("2", "3"))).exitCode, 0);
    assert.deepEqual(bodies(github.comments), [body.replace("2", "3")]);
    assert.deepEqual(github.writes, ["POST /issues/7/comments", "PATCH /issues/comments/100"]);
  });

  it("finds a stack's comment behind hundreds, and leaves those of people and other stacks alone", async () => {
    const others = [
      ...Array.from({ length: 250 }, (_, at) => github.post(`talk ${at}`, "User")),
      github.post(`${ofProd} is what it begins with`, "User"),
      github.post("<!-- kubecamp report: prod2 -->\nanother stack's"),
      github.post(`See below:\n${ofProd}`),
    ].map((post, at) => ({ ...post, id: 1000 + at }));
    github.comments = [...others, { ...github.post(`${ofProd}\nold`), id: 5 }];
    assert.equal((await comment()).exitCode, 0);
    assert.deepEqual(github.writes, ["PATCH /issues/comments/5"]);
    assert.deepEqual(bodies(github.comments), [...bodies(others), body]);
  });

  it("comments that there is no preview, rather than leave an older commit's", async () => {
    await comment();
    assert.equal((await run("comment.ts", [], of)).exitCode, 0);
    assert.equal((await comment("\n")).exitCode, 0);
    assert.match(
      github.comments[0]?.body ?? "",
      /^<!-- kubecamp report: prod -->\n\*\*There is no preview of this commit/,
    );
    assert.equal(github.comments.length, 1);
  });

  it("fails where GitHub refuses a comment, and says why", async () => {
    github.refusal = { status: 403, text: '{"message":"Resource not accessible by integration"}' };
    const { exitCode, output } = await comment();
    assert.equal(exitCode, 1);
    assert.match(output, /GET \/issues\/7\/comments.* with 403: Resource not accessible by integration/);
    github.refusal = { status: 502, text: "<html>Bad gateway" };
    assert.match((await comment()).output, /with 502: <html>Bad gateway/);
  });
});

describe(".github/scripts/outdated.ts", () => {
  const reportOf = (stack: string) => `<!-- kubecamp report: ${stack} -->\n**1 leaves**\n`;
  const outdated = (STACKS: string) => run("outdated.ts", [], { PULL_REQUEST: "7", COMMIT: "0123abcdef", STACKS });
  const comments = () => [
    { ...github.post(reportOf("prod")), id: 1 },
    { ...github.post(reportOf("lab")), id: 2 },
    { ...github.post(reportOf("lab"), "User"), id: 3 },
    { ...github.post(`See below:\n${reportOf("lab")}`), id: 4 },
  ];

  it("takes back the comments on stacks that are not there any more, and nothing else", async () => {
    github.comments = comments();
    assert.equal((await outdated('["prod","prod2"]')).exitCode, 0);
    assert.deepEqual(github.writes, ["PATCH /issues/comments/2"]);
    assert.match(
      github.comments[1]?.body ?? "",
      /^<!-- kubecamp report: lab -->\n\*\*There is no preview of this commit\*\*.*\n\n0123abc: \[the log\]\(https:.*\/42\)\n$/,
    );
    assert.deepEqual(bodies(github.comments).toSpliced(1, 1), bodies(comments()).toSpliced(1, 1));
  });
});

describe(".github/scripts/driftIssue.ts", () => {
  const marker = "<!-- kubecamp drift: prod -->";
  const look = (changes: string, report = "3 change\n") => run("driftIssue.ts", [report, changes], { STACK: "prod" });
  const states = () => github.issues.map(({ state }) => state);

  it("opens one issue for drift, keeps that up to date, and closes that once nothing differs", async () => {
    await look("3\n");
    const [issue] = github.issues;
    assert.equal(issue?.title, "Stack prod: the cluster is not as declared");
    assert.match(issue.body, /^<!-- kubecamp drift: prod -->\n.*actions\/runs\/42[\s\S]*\n3 change\n$/);
    await look("4\n", "4 change\n");
    assert.match(github.issues[0]?.body ?? "", /\n4 change\n$/);
    await look("0\n");
    assert.deepEqual(states(), ["closed"]);
    await look("0\n");
    assert.deepEqual(github.writes, [
      "POST /issues",
      "PATCH /issues/100",
      "POST /issues/100/comments",
      "PATCH /issues/100",
    ]);
    await look("1\n");
    assert.deepEqual(states(), ["closed", "open"]);
  });

  it("leaves issues of people and of other stacks alone", async () => {
    github.issues = [github.post(`${marker}\nmine`, "User"), github.post("<!-- kubecamp drift: prod2 -->")];
    await look("0\n");
    assert.deepEqual(github.writes, []);
  });

  it("closes no issue for drift where nobody counted", async () => {
    github.issues = [github.post(marker)];
    for (const changes of ["", "null\n", "-1"]) {
      const { exitCode, output } = await look(changes);
      assert.equal(exitCode, 1);
      assert.match(output, /has no number of changes/);
    }
    assert.deepEqual(states(), ["open"]);
  });
});

describe("what workflows' steps are told", () => {
  async function piped(script: string, input: unknown) {
    const text = typeof input === "string" ? input : JSON.stringify(input);
    const result = await execa(process.execPath, [join(repository, ".github/scripts", script)], {
      input: text,
      reject: false,
    });
    return { exitCode: result.exitCode, stdout: result.stdout, stderr: result.stderr };
  }
  const reported = async (script: string, input: unknown) => (await piped(script, input)).stdout;

  it("tells workflows which stacks there are, each once, and without the sandbox's", async () => {
    const lists = [{ stack: "prod" }, { stack: "dev" }, { stack: null }, { stack: "prod" }, { stack: "$(lab)" }];
    assert.equal(await reported("stacks.ts", lists), 'names=["$(lab)","prod"]');
    assert.equal(await reported("stacks.ts", []), "names=[]");
  });

  it("tells workflows every mistake at its line, and nobody's words as a command", async () => {
    const mistake = { file: "a,b.yaml", line: null, path: "members[0].type", message: "100% wrong\n::add-mask::x" };
    const lists = [{ mistakes: [mistake] }, { mistakes: [{ ...mistake, file: null, line: 7, message: "twice" }] }];
    assert.equal(
      await reported("mistakes.ts", lists),
      "::error file=a%2Cb.yaml,line=1::members[0].type: 100%25 wrong%0A::add-mask::x\n::error file=,line=7::members[0].type: twice",
    );
  });

  it("tells workflows nothing where the command before said nothing", async () => {
    for (const script of ["stacks.ts", "mistakes.ts"]) {
      const { exitCode, stdout } = await piped(script, "");
      assert.deepEqual([exitCode, stdout], [1, ""], script);
    }
  });
});
