import assert from "node:assert/strict";
import { linkOnSite } from "../../../../tools/site/markdown.ts";

describe("a link on the site", () => {
  const files = "https://git.example.org/o/r/blob/main";
  for (const [what, href, filesUrl, wanted] of [
    ["leads to the page that its file has become", "first-stack.md", undefined, "first-stack.html"],
    ["leads to the index that a README has become", "../README.md#start", undefined, "../index.html#start"],
    ["stays as it is within a page", "#buckets", undefined, "#buckets"],
    ["stays as it is to elsewhere", "https://kwok.sigs.k8s.io/#a", undefined, "https://kwok.sigs.k8s.io/#a"],
    ["leads to the repository where its file is no page", "../../LICENSE", files, `${files}/LICENSE`],
    ["leads nowhere where its file is no page and the repository is unknown", "../../LICENSE", undefined, undefined],
  ] as const) {
    it(what, () => assert.equal(linkOnSite(href, "docs/start/sandbox.md", filesUrl), wanted));
  }
});
