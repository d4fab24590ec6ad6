import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { repository } from "../../../scaffold/sandbox/paths.ts";
import { callsIn, understood } from "../github/understood.ts";

const page = readFileSync(join(repository, "docs/run/pull-requests.md"), "utf8");
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\n([^\`]*(?:\`[^\`]+\`[^\`]*)*)\`\`\``, "g"))].map(
    ([, text = ""]) => text,
  );
const policyOf = (name: string) =>
  JSON.parse(readFileSync(join(repository, "deploy/github/aws", `${name}.json`), "utf8"));

interface Pipeline {
  readonly [job: string]: { readonly [key: string]: unknown };
}

describe("docs/run/pull-requests.md", () => {
  const yaml = blocks("yaml").map((text) => parse(text));
  const pipeline: Pipeline = parse(readFileSync(join(repository, "deploy/gitlab/gitlab-ci.yml"), "utf8"));
  const jobs = Object.entries(pipeline).filter(
    ([, job]) => job.script !== undefined || job.before_script !== undefined,
  );

  it("has YAML and JSON that is some", () => {
    assert.equal(yaml.length, 1);
    for (const role of ["preview", "up"]) {
      assert.equal(policyOf(`${role}-rights`).Version, "2012-10-17");
      // Only one environment of one repository may take the role.
      assert.doesNotMatch(JSON.stringify(policyOf(`${role}-trust`)), /StringLike|\*/);
    }
  });

  it("has each environment of the workflows, and lets two of them read", () => {
    const files = ["preview", "up", "drift"].map((name) =>
      readFileSync(join(repository, `.github/workflows/${name}.yml`), "utf8"),
    );
    const environments = files.map((text) =>
      [...text.matchAll(/^ +environment: (.*)\$\{\{ matrix\.stack \}\}$/gm)].map(([, start = ""]) => `${start}prod`),
    );
    // A pull request's code runs in a job of its own, which can wait for a review.
    assert.deepEqual(environments, [["preview-prod"], ["main-prod", "prod"], ["main-prod"]]);
    for (const name of new Set(environments.flat())) assert.match(page, new RegExp(`^\\| \`${name}\``, "m"));
    const subjects = (role: string) =>
      policyOf(`${role}-trust`).Statement[0].Condition.StringEquals["token.actions.githubusercontent.com:sub"];
    assert.deepEqual(subjects("preview"), [
      "repo:ORG/REPO:environment:preview-prod",
      "repo:ORG/REPO:environment:main-prod",
    ]);
    assert.deepEqual(subjects("up"), ["repo:ORG/REPO:environment:prod"]);
  });

  it("gives the platform's owners whatever an up runs, and leaves no more than the list of members to others", () => {
    const lines = (blocks("text")[0] ?? "").trim().split("\n");
    const rules = lines.map((line) => line.split(/\s+/) as [string, ...string[]]);
    const ownersOf = (file: string) =>
      rules.findLast(([pattern]) => pattern === "*" || pattern === `/${file}`)?.slice(1) ?? [];
    for (const file of ["index.ts", "package-lock.json", "commands/main.ts", ".github/workflows/up.yml"]) {
      assert.deepEqual(ownersOf(file), ["@ORG/platform"], file);
    }
    const others = readdirSync(repository).filter((file) => !ownersOf(file).includes("@ORG/platform"));
    assert.deepEqual(others, ["members.prod.yaml"]);
  });

  it("says that a pushed branch can decrypt the stack's secrets, and what to do about it", () => {
    const [, section = ""] = /^## Who can push\n([\s\S]*?)\n## /m.exec(page) ?? [];
    assert.match(section, /decrypts the secrets in the stack's file and state/);
    assert.match(section, /Required reviewers/);
    // Without an environment there is no protection; what no role trusts, gets nothing.
    assert.match(section, /take `preview-prod` out of the \[trust policy\]/);
    assert.match(section, /Restrict `main-prod` to the branch `main` .* before you add it to the trust policy/);
    assert.doesNotMatch(page, /settings hold no secrets|the state, and that is all/);
  });

  it("has a pipeline for GitLab of keys that GitLab knows, and stages that there are", () => {
    const known = "stage extends rules variables script before_script artifacts needs environment id_tokens";
    const more = "resource_group interruptible timeout";
    for (const [name, job] of jobs) {
      for (const key of Object.keys(job)) assert.ok(`${known} ${more}`.split(" ").includes(key), `${name}: ${key}`);
      if (!name.startsWith(".")) assert.ok((pipeline.stages as unknown as string[]).includes(String(job.stage)), name);
      for (const need of (job.needs ?? []) as string[]) assert.ok(pipeline[need] !== undefined, `${name}: ${need}`);
    }
    assert.equal(jobs.length, 7);
  });

  it("has a pipeline left for a stack with buckets, whose merge requests get no preview", () => {
    assert.match(page, /take out the job `note`, and the rule for merge requests of `preview`/);
    const isMergeRequests = (rule: unknown) => JSON.stringify(rule).includes("merge_request_event");
    const left = jobs
      .filter(([name]) => name !== "note")
      .map(([name, job]) => {
        const rules = (job.rules ?? []) as unknown[];
        return [
          name,
          name === "preview" ? { ...job, rules: rules.filter((rule) => !isMergeRequests(rule)) } : job,
        ] as const;
      });
    const pushed = new Map(left.filter(([, { rules }]) => JSON.stringify(rules)?.includes("push")));
    assert.deepEqual([...pushed.keys()], ["preview", "up"]);
    // Nothing needs a job that merge requests don't have any more.
    for (const [name, job] of left) {
      for (const need of (job.needs ?? []) as string[])
        assert.ok(
          left.some(([other]) => other === need),
          name,
        );
      const isPreviewed = ((job.needs ?? []) as string[]).includes("preview");
      assert.ok(!isPreviewed || !((job.rules ?? []) as unknown[]).some(isMergeRequests), name);
    }
  });

  it("has kubecamp's commands as they are", () => {
    const lines = jobs.flatMap(([, job]) => [job.before_script ?? [], job.script ?? []].flat()) as string[];
    assert.ok(lines.length > 20);
    const calls = lines.flatMap(callsIn);
    assert.ok(calls.length >= 5);
    for (const call of new Set(calls)) understood(call);
  });

  it("names the workflows' variables, each of them", () => {
    const text = ["preview", "up", "drift"]
      .map((name) => readFileSync(join(repository, `.github/workflows/${name}.yml`), "utf8"))
      .join("");
    const variables = new Set([...text.matchAll(/vars\.(\w+)/g)].map(([, name = ""]) => name));
    assert.deepEqual(
      [...variables].filter((name) => !new RegExp(`\\| (variable )?\`${name}\` \\|`).test(page)),
      [],
    );
    assert.equal(variables.size, 5);
  });
});
