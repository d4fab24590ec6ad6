import assert from "node:assert/strict";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { repository } from "../../../sandbox/paths.ts";
import { actionlint } from "../../../sandbox/tools/catalogue.ts";
import { toolOnDemand } from "../../../sandbox/tools/toolchain.ts";

describe("actionlint", () => {
  let linter: string;
  let folder: string;

  before(async () => {
    // On a fresh machine it is built first: 17 seconds on two cores.
    const { signal } = new AbortController();
    linter = await toolOnDemand(actionlint, { environment: process.env, signal });
    folder = await mkdtemp(join(tmpdir(), "kubecamp-actionlint-"));
    await cp(join(repository, ".github"), join(folder, ".github"), { recursive: true });
    // actionlint checks local actions only inside a repository.
    await execa("git", ["init", "--quiet"], { cwd: folder });
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** Without shellcheck and pyflakes, which not every machine has. */
  const lint = () => execa(linter, ["-no-color", "-shellcheck=", "-pyflakes="], { cwd: folder, reject: false });

  it("finds no mistake in the workflows by actionlint", async () => {
    const { exitCode, stdout, stderr } = await lint();
    assert.equal(exitCode, 0, stdout + stderr);
  });
});
