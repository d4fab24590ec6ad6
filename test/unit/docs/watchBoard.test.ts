import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { repository } from "../../../scaffold/sandbox/paths.ts";
import { mistakes } from "../samples.ts";

describe("docs/run/board.md", () => {
  const page = readFileSync(join(repository, "docs/run/board.md"), "utf8");

  it("has a stack file with a board that is taken", () => {
    const [, yaml = ""] = /^## Serve it\n\n```yaml\n(.*?)```/ms.exec(page) ?? [];
    const { config } = parse(yaml);
    assert.ok(config["kubecamp:board"].login);
    assert.deepEqual(
      mistakes({
        route: config["kubecamp:route"],
        board: config["kubecamp:board"],
        members: [{ member: "bob", type: "user" }],
      }),
      [],
    );
  });
});
