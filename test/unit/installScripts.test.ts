import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../../sandbox/paths.ts";

const jsonOf = (file: string): unknown => JSON.parse(readFileSync(join(repository, file), "utf8"));

describe("package.json", () => {
  it("decides about each package with an install script, since .npmrc hides npm's warning", () => {
    const { allowScripts } = jsonOf("package.json") as { allowScripts: object };
    const { packages } = jsonOf("package-lock.json") as { packages: Record<string, { hasInstallScript?: true }> };
    const scripted = Object.entries(packages).flatMap(([path, { hasInstallScript }]) =>
      hasInstallScript && path !== "" ? [path.replace(/.*node_modules\//, "")] : [],
    );
    assert.deepEqual(Object.keys(allowScripts).toSorted(), scripted.toSorted());
  });
});
