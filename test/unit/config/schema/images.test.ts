import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { configuration, mistakes } from "../../samples.ts";

const mistakesOf = (images: unknown) => mistakes({ members: [], images });
const digest = (of: number) => `@sha256:${createHash("sha256").update(String(of)).digest("hex")}`;

describe("images in a configuration", () => {
  it("tells what is wrong of each image, wherever a list stands", () => {
    const found = mistakes({
      images: ["nginx", "NGINX"],
      memberTypes: { student: { images: ["nginx@sha256:abc"] } },
      members: [{ member: "bob", type: "user", images: ["ghcr.io/*/app", "", 7] }],
    });
    const form = "must be an image, such as nginx, nginx:1.*, ghcr.io/acme/app@sha256:… or ghcr.io/acme/*";
    assert.deepEqual(found, [
      `images[1]: "NGINX" ${form}`,
      `memberTypes.student.images[0]: "nginx@sha256:abc" ${form}`,
      `members[0].images[0]: "ghcr.io/*/app" ${form} (member 'bob')`,
      "members[0].images[1]: \"\" must not be empty (member 'bob')",
      "members[0].images[2]: 7 must be a text (member 'bob')",
    ]);
    assert.deepEqual(mistakesOf("nginx"), ['images: "nginx" must be a list of images']);
  });

  it("refuses more images than an admission policy can look up or annotations can hold", () => {
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

  it("refuses images in the name of somebody whom a message can name", () => {
    const of = (contact: unknown) => mistakes({ members: [], contact });
    assert.deepEqual(of("Ada, room 12 <ada@example.org>"), []);
    assert.deepEqual(of("Ada\nroom 12"), [
      'contact: "Ada\\nroom 12" must be one line without control and format characters, and without blanks at either end',
    ]);
    assert.match(of("a".repeat(254)).join(), /must have at most 253 characters/);
  });
});
