import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { controllers, ingressControllers, serverUses } from "../../../../config/route/controllers.ts";
import { repository } from "../../../../sandbox/paths.ts";

describe("what a name of routes is for", () => {
  for (const [what, feature] of [
    ["no login", "login"],
    ["no limit on bodies", "bodyMiB"],
    ["no rewrite", "strip"],
  ] as const) {
    it(`says ${what} of the controllers that have none`, () => {
      assert.deepEqual(
        ingressControllers.filter((name) => serverUses[name].includes(what)),
        ingressControllers.filter((name) => controllers[name].by[feature] === undefined),
      );
    });
  }

  it("stands in docs/run/routes.md in the same words and order", () => {
    const page = readFileSync(join(repository, "docs/run/routes.md"), "utf8");
    assert.deepEqual(
      page.match(/^\| `(kind|controller): .*$/gm),
      Object.entries(serverUses).map(([name, isFor]) => {
        const key = name === "gateway" ? "kind" : "controller";
        return `| \`${key}: ${name}\` | ${isFor} |`;
      }),
    );
  });
});
