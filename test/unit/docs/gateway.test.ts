import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { repository } from "../../../scaffold/sandbox/paths.ts";
import { ca } from "../certificates.ts";
import { mistakes } from "../samples.ts";

describe("docs/run/gateway.md", () => {
  it("has settings that a stack takes", async () => {
    const page = await readFile(join(repository, "docs/run/gateway.md"), "utf8");
    const stacks = [...page.matchAll(/```yaml\n(config:\n[\s\S]*?)```/g)].map(([, text = ""]) => parse(text).config);
    assert.equal(stacks.length, 2);
    for (const { "kubecamp:route": route } of stacks) {
      const backendTls = route.backendTls === undefined ? undefined : { ...route.backendTls, ca };
      assert.deepEqual(mistakes({ members: [], route: { ...route, backendTls } }), []);
    }
  });
});
