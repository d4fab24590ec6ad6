import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { repository } from "../../../scaffold/sandbox/paths.ts";
import { mistakes } from "../samples.ts";

const page = readFileSync(join(repository, "docs/security/network.md"), "utf8");

describe("the page about the network", () => {
  it("has an example that is taken", () => {
    const [, example = ""] = /```yaml\n(.*?)```/s.exec(page) ?? [];
    const { config } = parse(example) as { config: Record<string, unknown> };
    const raw = Object.fromEntries(Object.entries(config).map(([key, value]) => [key.replace("kubecamp:", ""), value]));
    assert.ok(Object.keys(raw).length > 2);
    assert.deepEqual(mistakes({ route: { host: "camp.example.org" }, ...raw }), []);
  });

  it("has exceptions that are taken, once what is in <> is filled in", () => {
    const texts = [...page.matchAll(/`(egress|ingress|nodeLocalDns): (\[.*?\])`/g)];
    assert.ok(texts.length > 4);
    for (const [text, key = "", list = ""] of texts) {
      const value = parse(list.replaceAll(/<[^>]*>\/32/g, "10.0.0.1/32").replaceAll(/<[^>]*>/g, "10.1.0.0/16"));
      assert.deepEqual(
        mistakes({ route: { host: "camp.example.org" }, members: [], network: { [key]: value } }),
        [],
        text,
      );
    }
  });
});
