import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { admissionPolicies, confiningPolicies } from "../../../config/names/names.ts";
import { repository } from "../../../sandbox/paths.ts";
import { promises } from "../../e2e/isolation/promises.ts";

const tests = join(repository, "test/e2e/isolation");

describe("the page on security", () => {
  const page = readFileSync(join(repository, "docs/security/security.md"), "utf8");
  const named = [...new Set(Object.values(promises).flat())];

  it("the page on security promises what tests try to break, and nothing else", () => {
    const [, table = ""] = /^\| promise \|.*\n.*\n((?:\|.*\n)+)/m.exec(page) ?? [];
    const promised = [...table.matchAll(/^\| (.*?) \| .* \|$/gm)].map(([, promise = ""]) => promise);
    assert.deepEqual(promised, Object.keys(promises));
  });

  it("every promise on security has tests that are there", () => {
    for (const [promise, files] of Object.entries(promises)) {
      assert.notEqual(files.length, 0, promise);
    }
    assert.deepEqual(
      named.filter((file) => !existsSync(join(tests, file))),
      [],
    );
  });

  it("the page on security names every policy", () => {
    assert.deepEqual(
      [...admissionPolicies, ...confiningPolicies].filter(
        (policy) => !page.includes(`policy \`${policy}\``) && !page.includes(`policies \`${policy}\``),
      ),
      [],
    );
  });
});
