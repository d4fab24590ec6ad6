import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { controllers } from "../../../config/model/routes/controllers.ts";
import { visitorHeaders } from "../../../plan/routes/login.ts";
import { repository } from "../../../scaffold/sandbox/paths.ts";
import { mistakes } from "../samples.ts";

describe("docs/run/login.md", () => {
  const page = () => readFile(join(repository, "docs/run/login.md"), "utf8");

  it("begins with a stack file that is taken", async () => {
    const [, yaml = ""] = /^# .*?\n\n```yaml\n(.*?)```/s.exec(await page()) ?? [];
    const { config } = parse(yaml);
    assert.ok(config["kubecamp:route"].login);
    assert.deepEqual(mistakes({ route: config["kubecamp:route"], members: [] }), []);
  });

  it("has the table of controllers, as the program goes by it", async () => {
    const [, table = ""] = /^## Which controller$.*?^\|---.*?\n(.*?)\n\n/ms.exec(await page()) ?? [];
    const rows = table.split("\n").map((row) => row.split("|").map((cell) => cell.trim()));
    for (const [name, { by, signsIn }] of Object.entries(controllers)) {
      const [, , way = "", signIn = ""] = rows.find(([, first]) => first === `\`${name}\``) ?? [];
      assert.equal(way === "–", by.login === undefined, name);
      assert.equal(way.includes(String(by.login)), by.login !== undefined, name);
      assert.equal(signIn === "required", signsIn !== undefined, name);
    }
  });

  it("names the headers that apps may believe", async () => {
    const text = await page();
    for (const header of visitorHeaders) {
      assert.ok(text.includes(`\`${header}\``), header);
    }
  });
});
