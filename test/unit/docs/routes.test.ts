import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { controllers } from "../../../config/model/routes/controllers.ts";
import { limitKeys } from "../../../config/model/routes/route.ts";
import { parseConfiguration } from "../../../config/sources/configuration.ts";
import { backendCaSecretName } from "../../../naming/names.ts";
import { repository } from "../../../scaffold/sandbox/paths.ts";
import { today } from "../samples.ts";

describe("docs/run/routes.md", () => {
  const page = () => readFile(join(repository, "docs/run/routes.md"), "utf8");

  it("has the table of controllers, as the program goes by it", async () => {
    const rows = Object.entries(controllers).map(([name, { namespace, className, externalName, by, verifies }]) => {
      const cells = [
        `\`${name}\``,
        `\`${namespace}\`, \`${className}\``,
        externalName,
        by.strip ?? "–",
        by.https,
        verifies.length === 0 ? "–" : verifies.join(" and "),
      ];
      return `| ${cells.join(" | ")} |`;
    });
    const [, table = ""] = /^## Which controller$.*?^\|---.*?\n(.*?)\n\n/ms.exec(await page()) ?? [];
    assert.deepEqual(table.split("\n"), rows);
  });

  it("has the table of limits, as the program goes by it", async () => {
    const [, table = ""] = /^## Limits$.*?^\|---.*?\n(.*?)\n\n/ms.exec(await page()) ?? [];
    const cells = table.split("\n").map((row) => row.split("|").map((cell) => cell.trim()));
    for (const [name, { by }] of Object.entries(controllers)) {
      const [, , ...limits] = cells.find(([, first]) => first === `\`${name}\``) ?? [];
      for (const [at, key] of limitKeys.entries()) {
        const shown = limits[at] ?? "";
        assert.equal(by[key] === undefined, shown === "–", `${name} ${key}`);
        assert.equal(by[key] === "always", shown === "always on", `${name} ${key}`);
      }
    }
  });

  it("has settings that are taken, and names the Secret as it is made", async () => {
    const text = await page();
    assert.ok(text.includes(backendCaSecretName({ stack: "<stack>" }).replace(/\..*/, "-<stack>")));
    for (const host of text.matchAll(/^ +host: "?([^"\s]+)/gm)) {
      const parsed = parseConfiguration("dev", { route: { host: host[1] }, members: [] }, today);
      assert.ok("configuration" in parsed, host[1]);
    }
  });
});
