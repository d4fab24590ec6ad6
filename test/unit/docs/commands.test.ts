import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../../../sandbox/paths.ts";
import { callsIn, understood } from "../github/understood.ts";
import { blocksIn, pages } from "./pages.ts";

const scripts = pages.flatMap((page) => blocksIn(page, "sh").map((script) => ({ page, script })));

describe("the commands in the pages", () => {
  for (const page of pages) {
    const calls = scripts.filter((each) => each.page === page).flatMap(({ script }) => callsIn(script));
    if (calls.length === 0) {
      continue;
    }
    it(`kubecamp has the commands and options in ${page}`, () => {
      for (const call of new Set(calls)) {
        understood(call);
      }
    });
  }

  it("package.json has the scripts that npm runs in the pages", () => {
    const { scripts: known } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
    const named = pages
      .flatMap((page) => [...readFileSync(join(repository, page), "utf8").matchAll(/npm run (?:-s )?(\w[\w:]*\w)/g)])
      .map(([, name = ""]) => name);
    assert.ok(named.length > 20);
    assert.deepEqual(
      named.filter((name) => !(name in known)),
      [],
    );
  });
});
