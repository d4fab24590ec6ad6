import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { Problem } from "../../../../commands/common/problem.ts";
import { repository } from "../../../../sandbox/paths.ts";
import { catalogue } from "../../../../sandbox/tools/catalogue.ts";
import { downloadsOnly } from "../../../../tools/packaged/downloadsOnly.ts";
import { packagedCommand } from "../../../../tools/packaged/kubecamp.ts";
import { loadedFor } from "../../loadedFor.ts";

const otherwise =
  "Mend that and run the same command again, or set KUBECAMP_DOWNLOADS to a mirror. Where nothing can be downloaded, clone " +
  "kubecamp's repository, whose sandbox builds the tools by Go.";

describe("the sandbox of the package", () => {
  const { files, packages } = loadedFor("tools/packaged/main.ts");

  it("downloads, and has nothing that builds tools or stands in for plugins", () => {
    for (const part of ["start", "tools/download", "plugins/official", "s3/s3Server"]) {
      assert.ok(files.has(`sandbox/${part}.ts`), part);
    }
    const clones = /standins|standIns|tools\/(build|chains|firstBuild|go|toolchain)\.ts|journey\/(stack|up)\.ts/;
    assert.deepEqual(
      [...files].filter((file) => clones.test(file) || /^(bench|tools)\/(?!packaged)/.test(file)),
      [],
    );
  });

  it("needs no package that is for development alone", () => {
    const { dependencies } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
    assert.ok(packages.has("execa") && packages.has("listr2"));
    assert.deepEqual(
      [...packages].filter((name) => !(name in dependencies)),
      [],
    );
  });

  it("says what can't be downloaded, why, and what to do instead of building", async () => {
    const why = [
      { tool: "kwok", why: "github.com does not answer", host: "github.com" },
      { tool: "etcd", why: "https://github.com/etcd.tar.gz answers 404" },
      { tool: "kwokctl", why: "github.com does not answer", host: "github.com" },
    ];
    const place = { environment: {}, signal: new AbortController().signal, cache: "", why };
    const events = { onProgress: () => undefined, onReady: () => undefined };
    await assert.rejects(downloadsOnly.build(catalogue, place, events), (error) => {
      assert.ok(error instanceof Problem);
      const { message, why, remedy } = error;
      assert.deepEqual(
        { message, why, remedy },
        {
          message: "The sandbox's tools could not all be downloaded.",
          why: "kwok, kwokctl: github.com does not answer\netcd: https://github.com/etcd.tar.gz answers 404",
          remedy: otherwise,
        },
      );
      return true;
    });
  });

  it("is completed as the other commands are", () => {
    const sandbox = packagedCommand().commands.find((command) => command.name() === "sandbox");
    const names = (command: Command | undefined) => command?.commands.map((each) => each.name());
    assert.deepEqual(names(sandbox), ["up", "down", "env", "status"]);
    assert.equal(packagedCommand().commands.at(-1)?.name(), "complete");
  });
});
