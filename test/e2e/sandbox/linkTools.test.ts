import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdir } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { packageBinaries } from "../../../sandbox/paths.ts";
import { linkTools, sandboxNamed } from "../../../sandbox/sandbox.ts";
import type { ToolPaths } from "../../../sandbox/tools/catalogue.ts";
import { useFolder } from "../../unit/testFolder.ts";

describe("the tools of a sandbox that a person calls by name", () => {
  const folder = useFolder();

  it("have `kubecamp` among them, which messages name as the way out", async () => {
    const bin = join(folder.path, "bin");
    const tools = { kubectl: "/t/kubectl", kwokctl: "/t/kwokctl", pulumi: "/t/pulumi" } as ToolPaths;
    await linkTools({ ...sandboxNamed("try"), bin }, tools, { PATH: "" });
    const env = { PATH: [bin, packageBinaries, process.env.PATH].join(delimiter) };
    assert.match(execFileSync("kubecamp", ["up", "--help"], { env, encoding: "utf8" }), /^Usage: kubecamp up /);
    const ours = ["kubecamp", "kubectl-camp", "kubectl_complete-camp"];
    assert.deepEqual((await readdir(bin)).toSorted(), [...ours, ...Object.keys(tools)].sort());
  });
});
