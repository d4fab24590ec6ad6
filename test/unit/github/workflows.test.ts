import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { repository } from "../../../sandbox/paths.ts";
import { callsIn, understood } from "./understood.ts";

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly if?: string;
  readonly needs?: string | readonly string[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly environment?: string;
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions?: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

const textOf = (file: string) => readFileSync(join(repository, file), "utf8");
const workflowFiles = globSync(".github/workflows/*.yml", { cwd: repository });
const files = [...workflowFiles, ...globSync(".github/actions/*/action.yml", { cwd: repository })];
const workflow = (name: string) => parse(textOf(`.github/workflows/${name}.yml`)) as Workflow;
const stepsOf = (file: string): readonly Step[] => {
  const content = parse(textOf(file)) as Partial<Workflow> & { readonly runs?: { readonly steps: readonly Step[] } };
  return content.runs?.steps ?? Object.values(content.jobs ?? {}).flatMap(({ steps }) => steps);
};
const jobs = workflowFiles.flatMap((file) =>
  Object.entries((parse(textOf(file)) as Workflow).jobs).map(([name, job]) => ({ id: `${file} ${name}`, job })),
);

describe("the workflows", () => {
  it("pin every action by its commit, with the version beside it", () => {
    const pins = files.flatMap((file) => textOf(file).match(/uses: .*/g) ?? []);
    assert.ok(pins.length >= 5);
    assert.deepEqual(
      pins.filter((pin) => !/^uses: (\.\/.*|[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/.test(pin)),
      [],
    );
  });

  it("give no right to all jobs, and none that writes to one that runs packages' code", () => {
    for (const file of workflowFiles) {
      assert.deepEqual((parse(textOf(file)) as Workflow).permissions, {}, file);
    }
    for (const { id, job } of jobs) {
      assert.notEqual(job.permissions, undefined, id);
      const { "id-token": _, ...rights } = job.permissions ?? {};
      const installs = job.steps.some(
        ({ uses, run }) => uses === "./.github/actions/packages" || run?.includes("npm ci"),
      );
      assert.ok(!(Object.values(rights).includes("write") && installs), id);
      for (const { uses, with: inputs } of job.steps) {
        if (uses?.startsWith("actions/checkout@")) {
          assert.equal(inputs?.["persist-credentials"], false, id);
        }
      }
    }
    assert.ok(stepsOf(".github/actions/packages/action.yml").some(({ run }) => run === "npm ci --ignore-scripts"));
  });

  it("run nobody's code with rights of the repository, and put nobody's words into a script", () => {
    for (const file of files) {
      assert.doesNotMatch(textOf(file), /pull_request_target|workflow_run|\bsecrets\./);
      for (const { run } of stepsOf(file)) {
        assert.doesNotMatch(run ?? "", /\$\{\{/, `${file}: ${run}`);
      }
    }
  });

  it("signs in to a cloud in the stack's environment alone, which AWS trusts by its name", () => {
    const signingIn = jobs.filter(({ job }) => job.steps.some(({ uses }) => uses === "./.github/actions/sign-in"));
    assert.equal(signingIn.length, 4);
    for (const { id, job } of signingIn) {
      assert.match(job.environment ?? "", /matrix\.stack/, id);
    }
    for (const role of ["preview", "up"]) {
      assert.doesNotMatch(textOf(`deploy/github/aws/${role}-trust.json`), /StringLike|\*/);
    }
  });

  it("call kubecamp's commands as they are, as the pipeline for GitLab does", () => {
    const pipeline = parse(textOf("deploy/gitlab/gitlab-ci.yml")) as Record<string, Record<string, string | string[]>>;
    const scripts = [
      ...files.flatMap(stepsOf).flatMap(({ run = "" }) => run),
      ...Object.values(pipeline).flatMap((job) => [job.before_script ?? [], job.script ?? []].flat()),
    ];
    const calls = new Set(scripts.flatMap(callsIn));
    assert.ok(calls.size >= 8);
    for (const call of calls) {
      understood(call);
    }
    assert.throws(() => understood("members --stak prod"));
    assert.throws(() => understood("member"));
  });
});

describe("preview.yml", () => {
  const { check, preview, offline, comment, passed } = workflow("preview").jobs;

  it("signs in for people's branches of its own repository, and runs offline for forks and bots", () => {
    for (const condition of [
      "github.event.pull_request.head.repo.full_name == github.repository",
      "github.event.pull_request.user.type != 'Bot'",
    ]) {
      for (const job of [preview, comment]) {
        assert.ok(job?.if?.includes(condition), condition);
      }
      const others = condition.replace(/==|!=/, (sign) => (sign === "==" ? "!=" : "=="));
      assert.ok(offline?.if?.includes(others), others);
    }
    for (const job of [check, offline]) {
      assert.doesNotMatch(JSON.stringify(job), /id-token|sign-in|environment/);
    }
  });

  it("has one job to require for a merge, which fails with any of the others", () => {
    assert.deepEqual([passed?.needs, passed?.if], [["check", "preview", "offline"], "always()"]);
  });
});

it("release.yml runs for tags alone, once somebody asks for releases", () => {
  const { on, jobs } = workflow("release");
  assert.deepEqual([on, jobs.build?.if], [{ push: { tags: ["v*"] } }, "vars.KUBECAMP_RELEASES != ''"]);
  for (const [name, { needs = [] }] of Object.entries(jobs)) {
    assert.ok(name === "build" || [needs].flat().includes("build"), name);
  }
});

it("release.yml packs with the address of the repository that releases, as npm asks for the provenance", () => {
  const runs = workflow("release").jobs.build?.steps.map(({ run = "" }) => run) ?? [];
  assert.match(runs.join("\n"), /"repository\.url=git\+\$address\.git".*npm pack/s);
});
