import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { referenceFiles } from "../../../../config/reference/files.ts";
import { repository } from "../../../../scaffold/sandbox/paths.ts";

describe("the files made from the schema", () => {
  for (const [path, text] of Object.entries(referenceFiles())) {
    it(`${path} is current`, async () => {
      const found = await readFile(join(repository, path), "utf8").catch(() => undefined);
      assert.ok(
        found === text,
        `${path} is not what the schema says: run 'npm run generate' and commit what it writes`,
      );
    });
  }
});
