import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../../../sandbox/paths.ts";
import { loadedFor } from "../loadedFor.ts";

const textOf = (path: string) => readFileSync(join(repository, path), "utf8");
const { dependencies } = JSON.parse(textOf("package.json")) as { dependencies: Record<string, string> };

/** The image's parts: the program, and the command line with the watch behind it. */
const starts = ["index.ts", "bin/kubecamp.mjs", "watch/watch.ts", "buckets/plugin/main.ts"];

describe("the image of kubecamp watch", () => {
  const { files, packages } = loadedFor(...starts);

  it("has every package that is loaded in it, without those for development", () => {
    // Enough to be sure that imports are found at all.
    assert.ok(packages.has("@pulumi/kubernetes") && packages.has("commander") && packages.has("pino"));
    assert.deepEqual(
      [...packages].filter((name) => !(name in dependencies)),
      [],
    );
  });

  it("has every file that is loaded in it", () => {
    const passing =
      textOf(".dockerignore")
        .match(/^!.+$/gm)
        ?.map((line) => line.slice(1)) ?? [];
    assert.ok(files.has("config/sources/load.ts") && files.has("watch/stackRunner.ts"));
    assert.deepEqual(
      [...files].filter((file) => !passing.some((each) => file === each || file.startsWith(`${each}/`))),
      [],
    );
  });
});
