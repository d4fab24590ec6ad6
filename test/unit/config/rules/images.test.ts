import assert from "node:assert/strict";
import fc from "fast-check";
import { imageFilter, imageRules } from "../../../../config/rules/imageRules.ts";
import { imageEntryForm, parseImage, parseImageEntry } from "../../../../config/rules/images.ts";
import { dockerReference } from "../dockerReference.ts";

const hex = "0123456789abcdef".repeat(4);
const sha256 = `sha256:${hex}`;

const pick = (...values: string[]) => fc.constantFrom(...values);
const registries = [
  "",
  "docker.io/",
  "index.docker.io/",
  "localhost/",
  "localhost:5000/",
  "ghcr.io/",
  "[::1]:5000/",
  "Foo/",
  "DOCKER.IO/",
];
const paths = ["nginx", "library/nginx", "acme/app", "acme/app/part", "a-b_c.d", "library", "docker.io", "sha256"];
const tags = ["", ":latest", ":1.27", ":1.27-alpine", ":5000", ":V1", `:${"a".repeat(128)}`];
const digests = ["", "", `@${sha256}`, `@sha512:${hex}${hex}`];

/** Made once, as it takes longer to make than its values do. */
const between = fc.string({ unit: pick(..."aZ0:/@.-_* []\n#"), maxLength: 3 });

/** Names as people write them, some of them with something in them that does not belong there. */
const images = fc
  .tuple(pick(...registries), pick(...paths), pick(...tags), pick(...digests))
  .map((parts) => parts.join(""))
  .chain((image) =>
    fc.oneof(
      { weight: 3, arbitrary: fc.constant(image) },
      fc
        .tuple(fc.nat(image.length), fc.nat(3), between)
        .map(([at, less, more]) => image.slice(0, at) + more + image.slice(at + less)),
    ),
  );

const isId = (image: string) => /^(sha256|sha384|sha512|blake3):/.test(image);

describe("an image's name", () => {
  it("is read as the container runtimes read it, whatever it looks like", () => {
    fc.assert(
      fc.property(images, (image) => {
        assert.deepEqual(parseImage(image), isId(image) ? undefined : dockerReference(image));
      }),
      { numRuns: 5000 },
    );
  });

  const spellings = [
    "nginx",
    "nginx:latest",
    "library/nginx",
    "docker.io/nginx",
    "index.docker.io/library/nginx:latest",
  ];
  for (const image of spellings) {
    it(`${image} is docker.io/library/nginx:latest`, () => {
      assert.deepEqual(parseImage(image), { repository: "docker.io/library/nginx", version: ":latest" });
    });
  }

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

/** Whether an entry allows an image, as docs/reference/images.md says it. */
function allows(entry: string, image: string): boolean {
  const reference = isId(image) ? undefined : dockerReference(image);
  if (entry === "*" || reference === undefined) {
    return entry === "*";
  }
  const [named = "", digest] = entry.split("@");
  const colon = named.lastIndexOf(":") > named.lastIndexOf("/") ? named.lastIndexOf(":") : named.length;
  const [repository, tag] = [named.slice(0, colon), named.slice(colon + 1)];
  const isBelow = repository.endsWith("/*");
  // Something below tells where that is; but below Docker Hub as a whole there is more than its own images.
  const whole = ["docker.io/*", "index.docker.io/*"].includes(repository);
  const name = whole
    ? "docker.io/"
    : (dockerReference(isBelow ? repository.replace("*", "below") : repository)?.repository ?? "");
  const isThere = isBelow ? reference.repository.startsWith(name.replace(/below$/, "")) : reference.repository === name;
  const version = digest === undefined ? (tag === "" ? undefined : `:${tag}`) : `@${digest}`;
  return isThere && (version === undefined || fits(version, reference.version));
}

/** Whether a text fits a pattern with `*` in it, letter by letter. */
function fits(pattern: string, text: string): boolean {
  if (pattern === "" || text === "") {
    return pattern.replaceAll("*", "") === text;
  }
  return pattern.startsWith("*")
    ? fits(pattern.slice(1), text) || fits(pattern, text.slice(1))
    : pattern[0] === text[0] && fits(pattern.slice(1), text.slice(1));
}

const entries = fc.oneof(
  fc
    .tuple(
      pick(...registries.slice(0, 7)),
      pick(...paths, "*", "acme/*", "library/*"),
      pick(...tags, ":1.*", ":*", ":*-alpine", ":1*7*"),
      pick(...digests),
    )
    .map((parts) => parts.join(""))
    .filter((entry) => typeof parseImageEntry(entry) !== "string"),
  { weight: 1, arbitrary: fc.constant("*") },
);

describe("a list of images", () => {
  it("allows what one of its entries says, and nothing else", () => {
    const seen = { true: 0, false: 0 };
    fc.assert(
      fc.property(fc.array(entries, { maxLength: 4 }), images, (list, image) => {
        const rules = imageRules(list);
        const expected = list.some((entry) => allows(entry, image));
        seen[`${expected}`]++;
        assert.equal(rules === undefined || imageFilter(rules)(image), expected);
      }),
      { numRuns: 5000 },
    );
    assert.ok(seen.true > 200 && seen.false > 200, JSON.stringify(seen));
  });

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
  const anything = fc.oneof(images, entries, fc.string({ unit: pick(..."aA1:/@.-_*[]"), maxLength: 12 }));
  it("is taken if it has the form that editors hold it against, and then is right for what it allows", () => {
    fc.assert(
      fc.property(anything, (text) => {
        if (typeof parseImageEntry(text) !== "string") {
          assert.match(text, new RegExp(imageEntryForm));
        }
      }),
      { numRuns: 5000 },
    );
  });

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
