import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { configuration, mistakes } from "../../samples.ts";

const mistakesOf = (images: unknown) => mistakes({ route: { host: "camp.example.org" }, members: [], images });
const digest = (of: number) => `@sha256:${createHash("sha256").update(String(of)).digest("hex")}`;

describe("images in a configuration", () => {
  it("are no more than an admission policy can look up, nor longer than annotations can be", () => {
    const many = (count: number, name: string) => Array.from({ length: count }, (_, at) => name + digest(at));
    assert.deepEqual(configuration({ members: [], images: many(500, "acme/app") }).members, []);
    assert.match(
      mistakesOf(many(501, "acme/app")).join(),
      /must have at most 500 images: ghcr\.io\/acme\/\* stands for/,
    );
    assert.match(
      mistakesOf(many(500, `ghcr.io/${"a".repeat(200)}`)).join(),
      /^images: .* comes to 280\d\d\d characters with its rules, and an annotation has room for 200000: ghcr\.io/,
    );
  });

  it("are refused in the name of somebody whom a message can name", () => {
    const of = (contact: unknown) => mistakes({ route: { host: "camp.example.org" }, members: [], contact });
    assert.deepEqual(of("Ada, room 12 <ada@example.org>"), []);
    assert.deepEqual(of("Ada\nroom 12"), [
      'contact: "Ada\\nroom 12" must be one line without control and format characters, and without blanks at either end',
    ]);
    assert.match(of("a".repeat(254)).join(), /must have at most 253 characters/);
  });
});
