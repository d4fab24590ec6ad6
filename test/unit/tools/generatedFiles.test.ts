import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../../../sandbox/paths.ts";
import { generatedFiles } from "../../../tools/generatedFiles.ts";

describe("the files that npm run generate writes", () => {
  for (const [path, text] of Object.entries(generatedFiles())) {
    it(`${path} is current`, () => {
      const found = readFileSync(join(repository, path), "utf8");
      assert.ok(found === text, `${path} is not what it is made from says: run 'npm run generate' and commit it`);
    });
  }
});
