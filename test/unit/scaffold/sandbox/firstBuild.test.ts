import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "mocha";
import { repository } from "../../../../scaffold/sandbox/paths.ts";
import { firstBuild } from "../../../../scaffold/sandbox/tools/firstBuild.ts";

describe("the first build of the tools", () => {
  it("takes what the documentation says", async () => {
    const text = (await readFile(join(repository, "docs/start/sandbox.md"), "utf8")).replaceAll("\n", " ");
    assert.match(text, new RegExp(`all takes ${firstBuild.time} on two cores and ${firstBuild.space} of disk`));
  });
});
