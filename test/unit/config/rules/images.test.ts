import assert from "node:assert/strict";
import { imageFilter, imageRules } from "../../../../config/rules/imageRules.ts";
import { imageEntryForm, parseImage, parseImageEntry } from "../../../../config/rules/images.ts";

const hex = "0123456789abcdef".repeat(4);
const sha256 = `sha256:${hex}`;

describe("an image's name", () => {
  /** As distribution/reference reads them, which container runtimes use. */
  for (const [repository, version, ...spellings] of [
    ["docker.io/library/nginx", ":latest", "nginx", "library/nginx", "docker.io/nginx", "index.docker.io/nginx:latest"],
    ["docker.io/acme/app", ":1.27", "acme/app:1.27", "index.docker.io/acme/app:1.27"],
    ["docker.io/a/b/c__d", ":V1", "a/b/c__d:V1"],
    ["localhost/x", ":latest", "localhost/x"],
    ["localhost:5000/x", ":latest", "localhost:5000/x"],
    ["ghcr.io/acme/app", ":latest", "ghcr.io/acme/app"],
    ["[::1]:5000/x", ":1", "[::1]:5000/x:1"],
    ["Foo/x", ":latest", "Foo/x"],
    ["DOCKER.IO/nginx", ":latest", "DOCKER.IO/nginx"],
  ] as const) {
    for (const image of spellings) {
      it(`${image} is ${repository}${version}`, () => {
        assert.deepEqual(parseImage(image), { repository, version });
      });
    }
  }

  it("is none if a runtime refuses it", () => {
    const none = [
      "",
      "NGINX",
      "acme//app",
      "/app",
      "a b",
      "nginx:",
      "nginx\n",
      "a..b",
      "a-",
      "_a",
      "nginx@sha256:abc",
      "a@b@c",
    ];
    assert.deepEqual(none.map(parseImage), Array(none.length).fill(undefined));
  });

  it("has the digest for its version, whatever its tag", () => {
    assert.deepEqual(parseImage(`localhost:5000/x:1@${sha256}`), {
      repository: "localhost:5000/x",
      version: `@${sha256}`,
    });
  });

  it("is none if it is the ID of an image that a node has, wherever that is from", () => {
    assert.equal(parseImage(sha256), undefined);
    assert.deepEqual(parseImage(`docker.io/library/${sha256}`), {
      repository: "docker.io/library/sha256",
      version: `:${hex}`,
    });
  });
});

describe("a list of images", () => {
  for (const [entry, allowed, refused] of [
    ["nginx", ["nginx", "docker.io/nginx:1", `nginx@${sha256}`], ["acme/nginx", "ghcr.io/nginx", "nginx2", sha256]],
    ["nginx:1.*", ["nginx:1.27", "library/nginx:1."], ["nginx", "nginx:1", "nginx:21.0", `nginx:1.0@${sha256}`]],
    ["nginx:*-alpine", ["nginx:1-alpine"], ["nginx:1-alpine2", "nginx:alpine"]],
    [`nginx@${sha256}`, [`nginx@${sha256}`, `nginx:1@${sha256}`], ["nginx", `nginx@sha256:${"0".repeat(64)}`]],
    ["docker.io/*", ["nginx", "acme/app:1"], ["ghcr.io/nginx", "docker.io.evil.org/nginx"]],
    ["library/*", ["nginx", "library/a/b"], ["acme/app"]],
    ["quay.io/*:1.0", ["quay.io/a/b:1.0"], ["quay.io/a/b", "quay.io/a:1x0", "quay.io.evil.org/a:1.0"]],
    ["*", ["nginx", "x/y/z:1", sha256], []],
  ] as const) {
    it(`with ${entry} allows what that says, and nothing else`, () => {
      const rules = imageRules([entry]);
      const isAllowed = (image: string) => rules === undefined || imageFilter(rules)(image);
      assert.deepEqual([...allowed, ...refused].filter(isAllowed), allowed);
      assert.match(entry, new RegExp(imageEntryForm));
    });
  }

  it("allows what is below a name, and not what begins like it", () => {
    const isAllowed = imageFilter(imageRules(["ghcr.io/acme/*"]) ?? "");
    assert.deepEqual(["ghcr.io/acme/a/b", "ghcr.io/acme-evil/a", "ghcr.io/acme"].map(isAllowed), [true, false, false]);
  });

  it("comes to lines that a policy looks up", () => {
    const list = [
      "nginx",
      "nginx:1.27",
      "redis:7",
      "redis:7.*",
      "redis:*-alpine",
      `acme/app@${sha256}`,
      "ghcr.io/acme/*",
      "quay.io/*:1.0",
    ];
    assert.deepEqual(imageRules(list)?.split("\n"), [
      "docker.io/library/nginx",
      "docker.io/library/redis:7",
      "docker.io/library/redis ^(?::7\\.[\\w.-]*|:[\\w.-]*-alpine)$",
      `docker.io/acme/app@${sha256}`,
      "ghcr.io/acme/",
      "quay.io/ ^(?::1\\.0)$",
    ]);
  });

  it("comes to no rules where any image is allowed, and to an empty one where none is", () => {
    assert.equal(imageRules(["nginx", "*"]), undefined);
    assert.equal(imageRules([]), "");
    assert.equal(imageFilter("")("nginx"), false);
  });
});

describe("an entry of a list of images", () => {
  const refused: Readonly<Record<string, RegExp>> = {
    NGINX: /^must have registry and repository in lower case$/,
    "Ghcr.io/acme/app": /^must have registry and repository in lower case$/,
    "nginx*": /^can't have '\*' there: it may be the last part of a repository \(ghcr.io\/acme\/\*\), stand in a tag/,
    "ghcr.io/*/app": /^can't have '\*' there/,
    "*.example.org/app": /^can't have '\*' there/,
    "*:1.0": /^can't have a tag or a digest: '\*' alone stands for every image$/,
    "ghcr.io": /^names a registry without a repository; write ghcr.io\/\* for all its repositories$/,
    "localhost:5000": /^names a registry without a repository; write localhost/,
    "https://ghcr.io/acme/app": /^must be an image without scheme/,
    [`nginx:${"a".repeat(129)}`]: /^must have a tag of at most 128 characters, and has 129$/,
    "nginx:": /^must have a tag of a-z/,
    "nginx:-1": /^must have a tag of a-z/,
    "nginx:1.27 ": /^must have a tag of a-z/,
    "nginx@sha256:abc": /^must have 64 of 0-9 and a-f behind @sha256: \(it has 3 characters\)$/,
    [`nginx@sha256:${hex.toUpperCase()}`]: /^must have 64 of 0-9 and a-f behind @sha256: \(it has 64 characters\)$/,
    "nginx@sha256:*": /^must have 64 of 0-9 and a-f/,
    [`nginx@md5:${hex.slice(32)}`]: /^must have a digest of sha256, sha384 or sha512/,
    [`nginx@${sha256}@${sha256}`]: /^must be an image, such as nginx, nginx:1\.\*/,
    "acme//app": /^must be an image, such as/,
    "/app": /^must be an image, such as/,
    "a b": /^must be an image, such as/,
    [sha256]: /^is the ID of an image/,
  };
  for (const [text, message] of Object.entries(refused)) {
    it(`is not ${text.slice(0, 40)}`, () => {
      const reported = parseImageEntry(text);
      assert.match(typeof reported === "string" ? reported : "taken", message);
    });
  }
});
