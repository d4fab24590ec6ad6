import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../../../sandbox/paths.ts";

const answer = (file: string, ...args: string[]) =>
  execFileSync(process.execPath, [join(repository, "bin", file), ...args], { encoding: "utf8" });

describe("kubectl_complete-camp", () => {
  it("answers what kubectl hands it as kubecamp's own completion does, in cobra's form", () => {
    const lines = answer("kubectl_complete-camp.mjs", "members", "wak").split("\n");
    assert.match(lines[0] ?? "", /^wake\t\S/);
    assert.deepEqual(lines.slice(1), [":4", ""]);
    assert.equal(
      answer("kubectl_complete-camp.mjs", "sandbox", ""),
      answer("kubecamp.mjs", "complete", "--", "sandbox", ""),
    );
  });

  it("names the package's completion command as kubectl looks for it", () => {
    const { bin } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
    assert.deepEqual(bin, {
      kubecamp: "bin/kubecamp.mjs",
      "kubectl-camp": "bin/kubecamp.mjs",
      "kubectl_complete-camp": "bin/kubectl_complete-camp.mjs",
    });
  });
});
