import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { admissionPolicies, confiningPolicies } from "../../../naming/names.ts";
import { repository } from "../../../scaffold/sandbox/paths.ts";

const tests = join(repository, "test/e2e/isolation");

describe("the page on security", () => {
  const page = readFileSync(join(repository, "docs/security/security.md"), "utf8");
  const named = [...page.matchAll(/`((?:\.\.|hostile|\w+)[\w/.]*\.ts)`/g)].map(([, file = ""]) => file);

  it("names tests that are there", () => {
    assert.deepEqual(
      named.filter((file) => !existsSync(join(tests, file))),
      [],
    );
  });

  it("names every group of a hostile member's attempts, and every other suite beside it", () => {
    const helpers = ["hostile/attempt.ts", "hostile/guarded.ts"];
    const suites = [
      ...globSync("*.test.ts", { cwd: tests }),
      ...globSync("hostile/*.ts", { cwd: tests }).filter((file) => !helpers.includes(file)),
    ];
    assert.ok(suites.map((file) => basename(file)).includes("tokens.ts"));
    assert.deepEqual(
      suites.filter((file) => !named.includes(file)),
      [],
    );
  });

  it("names every policy", () => {
    assert.deepEqual(
      [...admissionPolicies, ...confiningPolicies].filter(
        (policy) => !page.includes(`policy \`${policy}\``) && !page.includes(`policies \`${policy}\``),
      ),
      [],
    );
  });
});
