import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../../../scaffold/sandbox/paths.ts";

describe("docs/run/preview-identity.md", () => {
  it("names each file of rights that there is, and no other", () => {
    const page = readFileSync(join(repository, "docs/run/preview-identity.md"), "utf8");
    const named = [...page.matchAll(/^\| `([\w/-]+\.yaml)` \|/gm)].map(([, file]) => file);
    const files = readdirSync(join(repository, "deploy/preview"), { recursive: true, encoding: "utf8" });
    assert.deepEqual(named.toSorted(), files.filter((file) => file.endsWith(".yaml")).toSorted());
  });
});
