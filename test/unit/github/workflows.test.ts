import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { repository } from "../../../scaffold/sandbox/paths.ts";
import { catalogue } from "../../../scaffold/sandbox/tools/catalogue.ts";
import { callsIn, understood } from "./understood.ts";

interface Step {
  readonly name?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

interface Job {
  readonly if?: string;
  readonly needs?: string | readonly string[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly environment?: string;
  readonly concurrency?: object;
  readonly steps: readonly Step[];
  readonly "timeout-minutes"?: number;
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions?: unknown;
  readonly defaults?: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

const textOf = (file: string) => readFileSync(join(repository, file), "utf8");
const workflow = (name: string) => parse(textOf(`.github/workflows/${name}.yml`)) as Workflow;
const actionFiles = globSync(".github/actions/*/action.yml", { cwd: repository });
const workflowFiles = globSync(".github/workflows/*.yml", { cwd: repository });
const stepsOf = (file: string): readonly Step[] => {
  const content = parse(textOf(file)) as Partial<Workflow> & { readonly runs?: { readonly steps: readonly Step[] } };
  return content.runs?.steps ?? Object.values(content.jobs ?? {}).flatMap(({ steps }) => steps);
};
const files = [...workflowFiles, ...actionFiles];
const jobs = workflowFiles.flatMap((file) =>
  Object.entries((parse(textOf(file)) as Workflow).jobs).map(([name, job]) => ({ id: `${file} ${name}`, job })),
);

describe("the workflows", () => {
  it("are six", () => {
    assert.deepEqual(workflowFiles.toSorted(), [
      ".github/workflows/ci.yml",
      ".github/workflows/drift.yml",
      ".github/workflows/preview.yml",
      ".github/workflows/release.yml",
      ".github/workflows/site.yml",
      ".github/workflows/up.yml",
    ]);
    assert.equal(actionFiles.length, 2);
  });

  it("pin every action by its commit, with the version beside it, and the same everywhere", () => {
    const pins = files.flatMap((file) => textOf(file).match(/uses: .*/g) ?? []);
    const foreign = [...new Set(pins)].filter((pin) => !pin.startsWith("uses: ./"));
    assert.deepEqual(
      foreign.filter((pin) => !/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(pin)),
      [],
    );
    const names = foreign.map((pin) => pin.split("@")[0]);
    assert.equal(new Set(names).size, names.length);
    assert.ok(names.length >= 5);
  });

  it("give no right to all jobs, and to each no more than it needs", () => {
    for (const file of workflowFiles) assert.deepEqual((parse(textOf(file)) as Workflow).permissions, {});
    const read = { contents: "read" };
    const signsIn = { ...read, "id-token": "write" };
    assert.deepEqual(
      Object.fromEntries(jobs.map(({ id, job }) => [id.replace(".github/workflows/", ""), job.permissions])),
      {
        "ci.yml tests": read,
        "preview.yml check": read,
        "preview.yml preview": signsIn,
        "preview.yml comment": { ...read, "pull-requests": "write" },
        "preview.yml outdated": { ...read, "pull-requests": "write" },
        "preview.yml offline": read,
        "preview.yml passed": {},
        "up.yml stacks": read,
        "up.yml preview": signsIn,
        "up.yml up": signsIn,
        "drift.yml stacks": read,
        "drift.yml drift": signsIn,
        "drift.yml issue": { ...read, issues: "write" },
        "release.yml build": read,
        "release.yml image": { ...signsIn, packages: "write" },
        "release.yml package": { "id-token": "write" },
        "release.yml files": { contents: "write", "id-token": "write" },
        "site.yml build": read,
        "site.yml publish": { pages: "write", "id-token": "write" },
      },
    );
  });

  it("install no package where a token is that writes, and leave none in the folder", () => {
    for (const { id, job } of jobs) {
      const writes = ["contents", "packages", "pull-requests", "issues", "pages"].some(
        (right) => job.permissions?.[right] === "write",
      );
      const installs = job.steps.some(
        ({ uses, run }) => uses === "./.github/actions/packages" || run?.includes("npm ci"),
      );
      assert.ok(!(writes && installs), id);
      for (const { uses, with: inputs } of job.steps) {
        if (uses?.startsWith("actions/checkout@")) assert.equal(inputs?.["persist-credentials"], false, id);
      }
    }
    assert.ok(stepsOf(".github/actions/packages/action.yml").some(({ run }) => run === "npm ci --ignore-scripts"));
  });

  it("run nobody's code with rights of the repository, and put nobody's words into a script", () => {
    for (const file of files) {
      assert.doesNotMatch(textOf(file), /pull_request_target|workflow_run|\bsecrets\./);
      for (const { run } of stepsOf(file)) assert.doesNotMatch(run ?? "", /\$\{\{/, `${file}: ${run}`);
    }
  });

  it("keep what a job that is run again says, in place of what it said first", () => {
    const kept = files.flatMap(stepsOf).filter(({ uses }) => uses?.startsWith("actions/upload-artifact@"));
    assert.deepEqual(
      kept.map((step) => step.with?.overwrite),
      kept.map(() => true),
    );
    assert.ok(kept.length > 3);
  });

  it("keep the rows that a long report leaves out", () => {
    const reporting = jobs.flatMap(({ id, job }) =>
      job.steps
        .flatMap(({ run = "" }) => callsIn(run))
        .filter((call) => /^preview .* -o markdown\b/.test(call))
        .map((call) => ({ id, job, call })),
    );
    assert.equal(reporting.length, 5);
    for (const { id, job, call } of reporting) {
      assert.match(call, / --attach report\/everything\.md( |$)/, id);
      const kept = job.steps.filter(({ uses }) => uses?.startsWith("actions/upload-artifact@"));
      assert.deepEqual(
        kept.map((step) => step.with?.path),
        ["report"],
        id,
      );
    }
    const { drift } = parse(textOf("deploy/gitlab/gitlab-ci.yml"));
    assert.match(drift.script.join("\n"), / -o markdown .*--attach report\/everything\.md/);
    assert.deepEqual(drift.artifacts.paths, ["report"]);
  });

  it("end by themselves, and stop at what fails within a pipe", () => {
    for (const { id, job } of jobs) assert.ok((job["timeout-minutes"] ?? 0) > 0, id);
    for (const file of workflowFiles) {
      assert.deepEqual((parse(textOf(file)) as Workflow).defaults, { run: { shell: "bash" } });
    }
  });

  it("need no cloud until somebody has named one", () => {
    const signingIn = jobs.filter(({ job }) => job.steps.some(({ uses }) => uses === "./.github/actions/sign-in"));
    assert.equal(signingIn.length, 4);
    for (const { id, job } of signingIn) {
      const first = [job.needs ?? []].flat()[0] ?? "";
      const conditions = [job.if, jobs.find((other) => other.id === id.replace(/ .*/, ` ${first}`))?.job.if];
      assert.ok(
        conditions.some((condition) => condition?.includes("vars.KUBECAMP_CLOUD != ''")),
        id,
      );
      assert.match(job.environment ?? "", /matrix\.stack/, id);
    }
  });

  it("use Pulumi as the tests do", () => {
    const version = catalogue.find(({ name }) => name === "pulumi")?.version;
    const installed = files.flatMap(stepsOf).filter(({ uses }) => uses?.startsWith("pulumi/actions@"));
    assert.deepEqual(
      installed.map((step) => step.with),
      installed.map(() => ({ "pulumi-version": version })),
    );
    assert.ok(installed.length > 1);
  });

  it("preview and bring up a stack with all its shards, which pulumi and 'kubecamp report' know nothing of", () => {
    const runs = files.flatMap(stepsOf).map(({ run = "" }) => run);
    assert.deepEqual(
      runs.filter((run) => /\bpulumi (preview|up|stack history)\b|kubecamp -- report\b/.test(run)),
      [],
    );
    const calls = runs.flatMap(callsIn).filter((call) => call.startsWith("preview "));
    assert.equal(calls.length, 5);
    for (const call of calls) assert.match(call, /^preview --stack "\$STACK" --all /);
    assert.ok(runs.some((run) => run.startsWith('exec node bin/kubecamp.mjs up --stack "$STACK" --all ')));
    understood('up --stack "$STACK" --all');
  });

  it("call kubecamp's commands as they are", async () => {
    const calls = files.flatMap(stepsOf).flatMap(({ run = "" }) => callsIn(run));
    assert.ok(calls.length >= 8);
    for (const call of new Set(calls)) understood(call);
    assert.throws(() => understood("members --stak prod"));
    assert.throws(() => understood("member"));
  });
});

describe("release.yml", () => {
  const { build, image, package: npm, files: released } = workflow("release").jobs;
  const scriptsOf = (job: Job | undefined) => (job?.steps ?? []).map(({ run = "" }) => run).join("\n");

  it("runs for tags alone, once somebody asks for releases, and stops at a tag that is not the version's", () => {
    assert.deepEqual(workflow("release").on, { push: { tags: ["v*"] } });
    assert.equal(build?.if, "vars.KUBECAMP_RELEASES != ''");
    assert.match(npm?.if ?? "", /vars\.KUBECAMP_NPM != ''/);
    for (const job of [image, npm, released]) assert.ok([job?.needs ?? []].flat().includes("build"));
    assert.match(
      scriptsOf(build),
      /test "\$GITHUB_REF_NAME" = "v\$\(node -p 'require\("\.\/package\.json"\)\.version'\)"/,
    );
  });

  it("signs image, list of packages and files by its own identity, with no key", () => {
    const signed = [image, released].map(scriptsOf).join("\n");
    for (const command of ["cosign sign --yes", "cosign attest --yes --type cyclonedx", "cosign sign-blob --yes"]) {
      assert.ok(signed.includes(command), command);
    }
    assert.doesNotMatch(signed, /--key/);
    assert.match(scriptsOf(npm), /npm publish --provenance/);
  });

  it("builds the image from the file that is there, and makes its list of packages by a script that is", () => {
    const [, file = ""] = /docker build -f (\S+)/.exec(scriptsOf(image)) ?? [];
    assert.ok(textOf(file).startsWith("# The image of `kubecamp watch`"));
    const { scripts } = JSON.parse(textOf("package.json")) as { scripts: Record<string, string> };
    for (const [, name = ""] of scriptsOf(build).matchAll(/npm run (?:-s )?([\w:]+)/g))
      assert.ok(name in scripts, name);
  });
});

describe("preview.yml", () => {
  const { check, preview, offline, comment } = workflow("preview").jobs;

  it("checks without an identity, a variable or a secret", () => {
    assert.doesNotMatch(JSON.stringify(check), /vars\.|secrets|id-token|sign-in|environment/);
    const runs = check?.steps.map(({ run }) => run?.split("\n")[0]).filter((run) => run !== undefined);
    for (const run of ["npm run lint", "npm run typecheck"]) assert.ok(runs?.includes(run), run);
  });

  it("checks what people edit, and none of it against the examples that they have replaced: that is ci.yml's", () => {
    assert.doesNotMatch(JSON.stringify(check), /npm test|test:|mocha|\.ci\/run/);
    const { check: gitlab } = parse(textOf("deploy/gitlab/gitlab-ci.yml"));
    assert.doesNotMatch(JSON.stringify(gitlab), /npm test|test:|mocha|\.ci\/run/);
  });

  it("previews on the cluster for branches of its own, offline for all others, and never both", () => {
    const inside = "github.event.pull_request.head.repo.full_name == github.repository";
    assert.ok(preview?.if?.includes(inside));
    assert.ok(offline?.if?.includes(inside.replace("==", "!=")));
    assert.doesNotMatch(JSON.stringify(offline), /id-token|sign-in|environment:/);
    assert.deepEqual(comment?.needs, ["check", "preview"]);
  });

  it("runs no code of a bot's dependencies with an identity: nobody has read it", () => {
    const byPerson = "github.event.pull_request.user.type != 'Bot'";
    for (const job of [preview, comment]) assert.ok(job?.if?.includes(byPerson));
    assert.ok(offline?.if?.includes(byPerson.replace("!=", "==")));
    assert.doesNotMatch(textOf(".github/workflows/preview.yml"), /\[bot\]/);
  });

  it("brings the comment up to date also where a check failed, so that there is no preview of the commit", () => {
    const same = (preview?.if ?? "").replace("vars.KUBECAMP_CLOUD != '' && ", "");
    for (const part of same.split(" && ")) assert.ok(comment?.if?.includes(part), part);
    assert.match(comment?.if ?? "", /^!cancelled\(\) && vars\.KUBECAMP_CLOUD != ''/);
    assert.doesNotMatch(comment?.if ?? "", /\.result|success|failure/);
    // The stacks are known before anything can fail.
    const names = check?.steps.flatMap(({ name }) => name ?? []);
    assert.equal(names?.[0], "Stacks");
    assert.match(check?.steps.find(({ name }) => name === "Stacks")?.run ?? "", /\|\| true; \} \|\n/);
  });

  it("lets no comment stand of a stack that a commit lacks, or of which nobody could tell whether it has it", () => {
    const { outdated } = workflow("preview").jobs;
    assert.equal(outdated?.needs, "check");
    // As for the comments, but whatever stacks there are.
    assert.equal(outdated?.if, comment?.if?.replaceAll(/needs\.check\.outputs\.stacks != '(\[\])?' && /g, ""));
    const { run, env } = outdated?.steps.at(-1) ?? {};
    assert.equal(run, "node .github/scripts/outdated.ts");
    assert.equal(env?.STACKS, ["$", "{{ needs.check.outputs.stacks }}"].join(""));
    const { note } = parse(textOf("deploy/gitlab/gitlab-ci.yml"));
    assert.match(note.script.join("\n"), /if \[ ! -s report\/comment\.md \][\s\S]*There is no preview of this commit/);
  });

  it("has one job to require for a merge, which fails with any of those whose names depend on the stacks", () => {
    const { passed } = workflow("preview").jobs;
    assert.deepEqual(passed?.needs, ["check", "preview", "offline"]);
    // A job that is skipped counts as passed.
    assert.equal(passed?.if, "always()");
    assert.deepEqual(passed?.steps, [
      {
        if: "contains(needs.*.result, 'failure') || contains(needs.*.result, 'cancelled')",
        run: "exit 1",
      },
    ]);
    const page = textOf("docs/run/pull-requests.md");
    assert.match(page, /^\*Branches\*: protect `main`; require `passed` and a review\./m);
    assert.match(page, /\| `main` \| protected; [^|]*\*Pipelines must succeed\*/);
  });

  it("keeps the report before its exit code counts", () => {
    const run = preview?.steps.find(({ name }) => name === "Report")?.run ?? "";
    assert.match(run, /\|\| code=\$\?\n.*GITHUB_STEP_SUMMARY.*\nexit "\$code"/);
  });
});

describe("up.yml", () => {
  const { up } = workflow("up").jobs;

  it("waits for the stack's environment, and is never two at once nor cut off", () => {
    assert.equal(up?.environment, ["$", "{{ matrix.stack }}"].join(""));
    assert.deepEqual(up?.concurrency, { group: ["up-$", "{{ matrix.stack }}"].join(""), "cancel-in-progress": false });
    assert.deepEqual(Object.keys(workflow("up").on), ["push", "workflow_dispatch"]);
  });

  it("refreshes if it is started by hand, and shows so before", () => {
    const { env, jobs } = parse(textOf(".github/workflows/up.yml")) as Workflow & { readonly env: object };
    assert.deepEqual(env, { REFRESH: ["$", "{{ github.event_name == 'workflow_dispatch' && 'yes' || '' }}"].join("") });
    const runs = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
    const calls = runs.filter((run) => /(preview|up) --stack/.test(run));
    assert.equal(calls.length, 3);
    for (const run of calls) assert.match(run, / --all \$\{REFRESH:\+--refresh\}/);
  });

  it("refuses an older commit than main's first of all, previews, and then applies", () => {
    assert.deepEqual(
      up?.steps.flatMap(({ name }) => name ?? []),
      ["Newest", "Preview", "Up", "Members", "What to do"],
    );
  });
});

describe("ci.yml", () => {
  it("runs all checks with Pulumi's own plugins and with the stand-ins, unless stacks or members alone change", () => {
    const { on, jobs } = workflow("ci");
    const ignored = { "paths-ignore": ["Pulumi.*.yaml", "members.*.yaml"] };
    assert.deepEqual(on, { push: { branches: ["main"], ...ignored }, pull_request: ignored });
    const runs = jobs.tests?.steps.flatMap(({ run }) => run ?? []) ?? [];
    assert.equal(runs.at(-1), ".ci/run");
    assert.match(
      runs[0] ?? "",
      /npm run sandbox\njq -e '\.plugins == \{kubernetes: env\.PLUGINS, languageHost: env\.PLUGINS\}'/,
    );
    assert.partialDeepStrictEqual(jobs.tests, {
      strategy: {
        matrix: {
          include: [
            { plugins: "official", downloads: "" },
            { plugins: "stand-in", downloads: "off" },
          ],
        },
      },
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is GitHub's.
      env: { KUBECAMP_DOWNLOADS: "${{ matrix.downloads }}" },
    });
  });
});

describe("site.yml", () => {
  const { build, publish } = workflow("site").jobs;

  it("builds the site in every pull request, without an identity or a variable", () => {
    assert.deepEqual(Object.keys(workflow("site").on), ["pull_request", "push"]);
    assert.equal(build?.if, undefined);
    assert.ok(build?.steps.some(({ run }) => run === "npm run site"));
  });

  it("publishes what was merged alone, and only where somebody has turned it on", () => {
    const upload = build?.steps.find(({ uses }) => uses?.startsWith("actions/upload-pages-artifact@"));
    const merged = "github.event_name == 'push' && vars.KUBECAMP_PAGES != ''";
    assert.deepEqual([upload?.if, publish?.if], [merged, merged]);
    assert.deepEqual(workflow("site").on.push, { branches: ["main"] });
  });
});
