import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { referenceFiles } from "../../../config/reference/files.ts";
import { repository } from "../../../sandbox/paths.ts";
import { deployFiles, fencePath } from "../../../tools/deploy/files.ts";
import { pictureFiles } from "../../../tools/pictures/files.ts";

const found = (path: string) => readFileSync(join(repository, path), "utf8");

describe("the files that npm run generate writes", () => {
  const files = { ...referenceFiles(), ...deployFiles(found(fencePath)), ...pictureFiles() };
  for (const [path, text] of Object.entries(files)) {
    it(`${path} is current`, () => {
      assert.ok(found(path) === text, `${path} is not what it is made from says: run 'npm run generate' and commit it`);
    });
  }
});
