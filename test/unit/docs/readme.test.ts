import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../../../sandbox/paths.ts";
import { blocksIn } from "./pages.ts";

const [english, japanese] = ["README.md", "README.ja.md"] as const;
const linksIn = (page: string) =>
  [...readFileSync(join(repository, page), "utf8").matchAll(/\]\(([^)]*)\)/g)]
    .map(([, to = ""]) => to)
    .filter((to) => !/^README(\.ja)?\.md$/.test(to));

describe("README.md and README.ja.md", () => {
  it("README.md and README.ja.md agree in commands, links and stack file", () => {
    assert.equal(blocksIn(english, "sh").length, 3);
    assert.deepEqual(blocksIn(japanese, "sh"), blocksIn(english, "sh"));
    assert.equal(blocksIn(english, "yaml").length, 1);
    assert.deepEqual(blocksIn(japanese, "yaml"), blocksIn(english, "yaml"));
    assert.ok(linksIn(english).length > 10);
    assert.deepEqual(linksIn(japanese), linksIn(english));
  });
});
