import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { specialSecretSig, specialSigKey, unknownValue } from "@pulumi/pulumi/runtime/index.js";
import { hasMarks, secretSignature, signatureKey, unknown, unknowns } from "../../../../config/names/pulumiMarks.ts";
import { repository } from "../../../../sandbox/paths.ts";

describe("the marks of Pulumi's values", () => {
  it("are those of its SDK", () => {
    assert.deepEqual(
      { signatureKey, secretSignature, unknown },
      { signatureKey: specialSigKey, secretSignature: specialSecretSig, unknown: unknownValue },
    );
  });

  it("are found where Pulumi finds them: a key of a map, and a whole text anywhere else", () => {
    for (const text of unknowns) {
      assert.equal(hasMarks({ a: [{ b: text }] }), true, text);
    }
    assert.equal(hasMarks({ a: { [signatureKey]: "x" } }), true);
    const harmless = [
      { a: signatureKey },
      { [unknown]: "a" },
      { a: `${unknown}.` },
      { a: JSON.stringify({ b: unknown }) },
    ];
    for (const object of harmless) {
      assert.equal(hasMarks(object), false, JSON.stringify(object));
    }
  });

  it("are written down in one file", () => {
    const folders = "config,cluster,buckets,objects,plan,components,runs,commands,watch,sandbox,bench,tools";
    const files = globSync(["index.ts", "kubecamp.ts", `{${folders}}/**/*.ts`], { cwd: repository });
    const marks = [signatureKey, secretSignature, ...unknowns];
    const written = files.filter((file) => {
      const text = readFileSync(join(repository, file), "utf8");
      return marks.some((mark) => text.includes(mark));
    });
    assert.deepEqual(written, ["config/names/pulumiMarks.ts"]);
  });
});
