import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { repository } from "../../../scaffold/sandbox/paths.ts";
import { actionlint } from "../../../scaffold/sandbox/tools/catalogue.ts";
import { toolOnDemand } from "../../../scaffold/sandbox/tools/toolchain.ts";

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

  async function change(file: string, from: string, to: string): Promise<void> {
    const path = join(folder, ".github", file);
    const text = await readFile(path, "utf8");
    assert.ok(text.includes(from), `${file} has no ${from}`);
    await writeFile(path, text.replace(from, to));
  }

  it("finds nothing in the workflows", async () => {
    const { exitCode, stdout, stderr } = await lint();
    assert.equal(exitCode, 0, stdout + stderr);
  });

  it("would find what is broken in them", async () => {
    const preview = "workflows/preview.yml";
    await change("workflows/up.yml", "needs: stacks", "needs: stakcs");
    await change(preview, "{{ matrix.stack }}\n    permissions", "{{ matrix.stak }}\n    permissions");
    const injected = ["run: echo $", "{{ github.event.pull_request.title }}"].join("");
    await change(preview, "run: npm run lint", injected);
    await change("workflows/drift.yml", "role: ${{", "rolle: ${{");
    const { exitCode, stdout } = await lint();
    assert.equal(exitCode, 1, stdout);
    for (const words of [
      /^\.github\/workflows\/up\.yml:.*needs job "stakcs"/m,
      /^\.github\/workflows\/preview\.yml:.*property "stak" is not defined/m,
      /^\.github\/workflows\/preview\.yml:.*potentially untrusted/m,
      /^\.github\/workflows\/drift\.yml:.*input "rolle" is not defined/m,
    ]) {
      assert.match(stdout, words);
    }
  });
});
