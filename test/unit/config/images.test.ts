import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { imageFilter, imageRules, parseImage, parseImageEntry } from "../../../config/images.ts";
import { configuration, mistakes } from "../samples.ts";

const hex = "0123456789abcdef".repeat(4);
const sha256 = `sha256:${hex}`;

describe("an image's name", () => {
  const read: Readonly<Record<string, string | undefined>> = {
    nginx: "docker.io/library/nginx:latest",
    "nginx:latest": "docker.io/library/nginx:latest",
    "library/nginx": "docker.io/library/nginx:latest",
    "docker.io/nginx": "docker.io/library/nginx:latest",
    "index.docker.io/library/nginx:latest": "docker.io/library/nginx:latest",
    "acme/app:V1": "docker.io/acme/app:V1",
    "index.docker.io/acme/app": "docker.io/acme/app:latest",
    "docker.io/library/docker.io": "docker.io/library/docker.io:latest",
    library: "docker.io/library/library:latest",
    "localhost/x": "localhost/x:latest",
    [`localhost:5000/x:1@${sha256}`]: `localhost:5000/x@${sha256}`,
    "ghcr.io/acme/app/part:1.27-alpine": "ghcr.io/acme/app/part:1.27-alpine",
    "[::1]:5000/app": "[::1]:5000/app:latest",
    "Foo/app": "Foo/app:latest",
    "DOCKER.IO/nginx": "DOCKER.IO/nginx:latest",
    "a-b_c/e__f---g": "docker.io/a-b_c/e__f---g:latest",
    [`x:${"a".repeat(128)}`]: `docker.io/library/x:${"a".repeat(128)}`,
    [`x@sha512:${hex}${hex}`]: `docker.io/library/x@sha512:${hex}${hex}`,
    // The ID of an image that a node has, wherever that is from, and the same text behind a repository.
    [sha256]: undefined,
    [`docker.io/library/${sha256}`]: `docker.io/library/sha256:${hex}`,
  };
  const unreadable = [
    ...[
      `x:${"a".repeat(129)}`,
      `x@${sha256}@${sha256}`,
      "x@sha256:abc",
      "x:1:2",
      "x:",
      "x:-1",
      "acme/App",
      "acme//app",
    ],
    ...["a___b", "a..b", "-a", "a-", "/app", "-ghcr.io/app", "ghcr.io:/app", "a b", "nginx\n", ""],
  ].map((image) => [image, undefined] as const);
  for (const [image, expected] of [...Object.entries(read), ...unreadable]) {
    it(`reads ${JSON.stringify(image.slice(0, 28))} as ${expected?.slice(0, 40) ?? "no image"}`, () => {
      const found = parseImage(image);
      assert.equal(found && found.repository + found.version, expected);
    });
  }
});

describe("a list of images", () => {
  const isAllowed = (list: readonly string[], image: string) => {
    const rules = imageRules(list);
    return rules === undefined || imageFilter(rules)(image);
  };

  const cases: readonly [list: readonly string[], allowed: readonly string[], refused: readonly string[]][] = [
    [["*"], ["nginx", "a b", sha256], []],
    [["nginx", "*"], ["a b"], []],
    [[], [], ["nginx", "a b"]],
    [["nginx"], ["docker.io/library/nginx:1", `nginx@${sha256}`], ["nginx/x", "acme/nginx", "nginx2", "a b", sha256]],
    [["nginx:1.27"], ["nginx:1.27"], ["nginx", "nginx:1x27", "nginx:1.27-alpine", `nginx:1.27@${sha256}`]],
    [["nginx:latest"], ["nginx"], [`nginx@${sha256}`]],
    [
      ["nginx:1.*", "nginx:*-alpine"],
      ["nginx:1.2", "nginx:1.", "nginx:2-alpine"],
      ["nginx:12", "nginx:21.1"],
    ],
    [["nginx:1*7*"], ["nginx:17", "nginx:1.7-b"], ["nginx:71"]],
    [[`nginx:2@${sha256}`], [`nginx@${sha256}`, `nginx:1@${sha256}`], ["nginx:2"]],
    [["ghcr.io/acme/*"], ["ghcr.io/acme/a/b", "ghcr.io/acme/a:1"], ["ghcr.io/acme-evil/a", "ghcr.io/acme", "acme/a"]],
    [["ghcr.io/*:1.0"], ["ghcr.io/a/b:1.0"], ["ghcr.io/a/b", "ghcr.io/a/b:1.0.1", "ghcr.io.evil/a:1.0"]],
    [["acme/*"], ["docker.io/acme/a"], ["ghcr.io/acme/a", "acme"]],
    [["library/*"], ["nginx"], ["acme/nginx"]],
    [["index.docker.io/*"], ["nginx", "acme/a/b"], ["ghcr.io/nginx"]],
    [["localhost:5000/*"], ["localhost:5000/a"], ["localhost/a"]],
  ];
  for (const [list, allowed, refused] of cases) {
    it(`allows what the list ${JSON.stringify(list).slice(0, 36)} says, and nothing else`, () => {
      const found = [...allowed, ...refused].filter((image) => isAllowed(list, image));
      assert.deepEqual(found, allowed);
    });
  }

  it("turns images into lines that a policy looks up, and into none where any image is allowed", () => {
    const list = [
      ...["nginx", "nginx:1.27", "redis:7", "redis:7.*", "redis:*-alpine", `acme/app@${sha256}`],
      ...["ghcr.io/acme/*", "quay.io/*:1.0"],
    ];
    assert.deepEqual(imageRules(list)?.split("\n"), [
      "docker.io/library/nginx",
      "docker.io/library/redis:7",
      "docker.io/library/redis ^(?::7\\.[\\w.-]*|:[\\w.-]*-alpine)$",
      `docker.io/acme/app@${sha256}`,
      "ghcr.io/acme/",
      "quay.io/ ^(?::1\\.0)$",
    ]);
    assert.equal(imageRules(["nginx", "*"]), undefined);
    assert.equal(imageRules([]), "");
  });
});

describe("an entry of a list of images", () => {
  const form = /^must be an image, such as nginx, nginx:1\.\*/;
  const refused: Readonly<Record<string, RegExp>> = {
    ...Object.fromEntries(
      [
        ...["NGINX", "Ghcr.io/acme/app", "nginx*", "ghcr.io/*/app", "*.example.org/app", "*:1.0", "a b", "/app"],
        ...["https://ghcr.io/acme/app", "nginx:", "nginx:-1", "nginx:1.27 ", "acme//app", "nginx\n", sha256],
        ...["nginx@sha256:abc", "nginx@sha256:*", `nginx@sha256:${hex.toUpperCase()}`, `nginx@md5:${hex.slice(32)}`],
        ...[`nginx@${sha256}@${sha256}`, `nginx:${"a".repeat(129)}`],
      ].map((text) => [text, form]),
    ),
    "ghcr.io": /^names a registry without a repository; write ghcr.io\/\* for all its repositories$/,
    "localhost:5000": /^names a registry without a repository; write localhost/,
  };
  for (const [text, message] of Object.entries(refused)) {
    it(`refuses ${JSON.stringify(text.slice(0, 40))} in a list of images`, () => {
      const reported = parseImageEntry(text);
      assert.match(typeof reported === "string" ? reported : "taken", message);
    });
  }
});

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
