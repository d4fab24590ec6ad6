import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { repository } from "../../scaffold/sandbox/paths.ts";

/** The anchors that a page's headings have, as GitHub makes them. */
const anchorsOf = (page: string) =>
  [...readFileSync(page, "utf8").matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );

describe("the pages of the documentation", () => {
  const pages = ["README.md", ...globSync("docs/*.md", { cwd: repository })].map((page) => join(repository, page));
  const links = pages.flatMap((page) =>
    [...readFileSync(page, "utf8").matchAll(/\]\((?!https?:)([^)\s#]*)(?:#([^)]*))?\)/g)].map(
      ([link, to = "", anchor]) => ({
        link: `${page}: ${link}`,
        target: to === "" ? page : join(dirname(page), to),
        anchor,
      }),
    ),
  );

  it("lead to files and headings that are there", () => {
    assert.ok(links.length > 50);
    const broken = links.filter(
      ({ target, anchor }) => !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor)),
    );
    assert.deepEqual(
      broken.map(({ link }) => link),
      [],
    );
  });

  it("are all led to from another", () => {
    const found = new Set(links.map(({ target }) => target));
    assert.deepEqual(
      pages.slice(1).filter((page) => !found.has(page)),
      [],
    );
  });
});
