import assert from "node:assert/strict";
import { runningAnyImage } from "../../../../plan/findings/anyImage.ts";
import { configuration } from "../../samples.ts";
import { textOf } from "../planned.ts";

const reported = (raw: object, ...entries: readonly object[]) => {
  const members = entries.map((entry, index) => ({ member: `m-${index}`, type: "user", ...entry }));
  return textOf(runningAnyImage(configuration({ ...raw, members }).members));
};

describe("a stack without a list of images", () => {
  it("has one line about it, with the first of whom it is about, and the way out", () => {
    assert.equal(
      reported({}, {}, { type: "guest-user" }, { images: ["nginx"] }, { type: "admin" }, {}),
      "images: m-0, m-1, m-3 and 1 more may run any image of any registry, also private ones that nodes have the " +
        `credentials for; list the allowed images (docs/reference/images.md), or allow any with images: ["*"]`,
    );
  });

  it("has none where everybody has a list, or may run nothing, or somebody says that any will do", () => {
    assert.equal(reported({ images: ["nginx"] }, {}, {}), undefined);
    assert.equal(reported({ images: ["*"] }, {}, {}), undefined);
    assert.equal(reported({}, { images: [] }, { home: "view" }), undefined);
    assert.equal(reported({}), undefined);
  });
});
