import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { ciSubject } from "../../../config/model/members/ci.ts";
import { repository } from "../../../scaffold/sandbox/paths.ts";
import { configuration } from "../samples.ts";

const page = readFileSync(join(repository, "docs/run/pipelines.md"), "utf8");
const [stack, own, workflow, pipeline] = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = ""]) =>
  parse(text),
);
const plain = (settings: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(settings).map(([key, value]) => [key.replace("kubecamp:", ""), value]));
const settings = plain(stack.config);

describe("docs/run/pipelines.md", () => {
  it("begins with a stack that is right, and says whom it binds", () => {
    const { members } = configuration(settings);
    assert.deepEqual(members[0]?.ci?.subjects, [
      "github:repo:ada/site:ref:refs/heads/main",
      "gitlab:project_path:ada/tools:ref_type:tag:ref:v1",
    ]);
    assert.ok(page.includes(`# binds ${members[0]?.ci?.subjects[0]}`));
  });

  it("has issuers of one's own that are right", () => {
    const ci = [{ issuer: "school", repository: "ada/site", ref: "refs/heads/main" }];
    const { settings: read } = configuration({ ...plain(own), members: [{ member: "ada", type: "user", ci }] });
    assert.equal(read.ci?.issuers[0]?.prefix, "https://gitlab.example.org#");
  });

  it("has the subject of each kind of entry", () => {
    const rows = [...page.matchAll(/^\| `issuer: (\w+)`, `(ref|environment): (\S+)` \| .* \| `(\S+)` \|$/gm)];
    assert.equal(rows.length, 5);
    for (const [, issuer = "", key = "", value = "", subject] of rows) {
      const of = { repository: issuer === "github" ? "ada/site" : "ada/tools", [key]: value };
      assert.equal(ciSubject(issuer === "github" ? "github" : "gitlab", of), subject);
    }
  });

  it("has a workflow and a pipeline for the stack's audience and the entry's branch, with no more rights than they need", () => {
    const { audience } = settings.ci as { audience: string };
    assert.deepEqual(workflow.permissions, { contents: "read", "id-token": "write" });
    assert.deepEqual(workflow.on, { push: { branches: ["main"] } });
    assert.equal(workflow.jobs.deploy.env.AUDIENCE, audience);
    assert.equal(pipeline.deploy.id_tokens.KUBE_TOKEN.aud, audience);
    assert.doesNotMatch(JSON.stringify([workflow, pipeline]), /secrets\./);
  });
});
