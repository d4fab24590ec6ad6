import assert from "node:assert/strict";
import { Problem } from "../../../../commands/common/problem.ts";
import { reportOf } from "../../../../commands/report/build.ts";
import { readDigest } from "../../../../commands/report/digest.ts";
import { preview, stackUrn } from "./previews.ts";

const refused = (text: string, words: RegExp) =>
  assert.throws(
    () => readDigest(text, "preview.json"),
    (error) => error instanceof Problem && words.test(`${error.message} ${error.why} ${error.remedy}`),
    text,
  );

describe("what is read as a preview", () => {
  it("is one, also without any step or word", () => {
    assert.deepEqual(readDigest('{"steps": null, "duration": 3}', "x"), { steps: [], diagnostics: [] });
  });

  for (const [what, text, words] of [
    ["nothing", " \n", /There is nothing in preview\.json\. .*passphrase/],
    ["no JSON", "error: no stack named 'x' found", /It is no JSON; it begins with 'error: no stack/],
    ["half a preview", '{\n    "steps": [\n  {"op"', /cut off or damaged/],
    ["another object", '{"kind": "Pod"}', /neither 'steps' nor 'diagnostics', but kind/],
    ["an up", '{"sequence":0}\n{"sequence":1}\n', /several JSON documents/],
    ["a preview of another shape", '{"steps": [{"op": 7}]}', /can read\. steps\.0\.op: /],
  ] as const) {
    it(`is told apart from ${what}`, () => refused(text, words));
  }

  it("is of the stack that was asked for", () => {
    assert.throws(
      () => reportOf(preview([]), { stack: "prod" }),
      /This is a preview of stack 'dev', and not of 'prod'/,
    );
    assert.equal(reportOf(preview([]), { stack: "dev" }).stack, "dev");
  });

  it("is kubecamp's, whatever its project is called", () => {
    const other = (type: string) => ({
      steps: [stackUrn.replaceAll("kubecamp", "shop"), `urn:pulumi:dev::shop::${type}::x`].map((urn) => ({
        op: "same",
        urn,
      })),
      diagnostics: [],
    });
    assert.throws(() => reportOf(other("aws:s3:Bucket")), /a preview of another program, 'shop'/);
    assert.equal(reportOf(other("kubecamp:index:ClusterAccess")).stack, "dev");
  });
});
