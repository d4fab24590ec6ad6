import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { repository } from "../../../sandbox/paths.ts";
import { anchorOf } from "../../../tools/site/markdown.ts";

const textOf = (file: string) => readFileSync(file, "utf8");

/** The anchors that a page's headings have, as GitHub makes them. */
const anchorsOf = (page: string) =>
  [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => anchorOf(heading));

const isThere = ({ target, anchor }: { target: string; anchor: string | undefined }) =>
  existsSync(target) && (anchor === undefined || anchorsOf(target).includes(anchor));

const inRepository = (pattern: string | string[]) =>
  globSync(pattern, { cwd: repository }).map((file) => join(repository, file));

describe("the pages of the documentation", () => {
  const docs = inRepository("docs/**/*.md");
  const pages = [
    ...inRepository(["{README,README.ja,CONTRIBUTING,CHANGELOG,bench/README}.md", ".github/*.md"]),
    ...docs,
  ];
  const links = pages.flatMap((page) =>
    [...textOf(page).matchAll(/\]\((?!https?:)([^)\s#]*)(?:#([^)]*))?\)/g)].map(([link, to = "", anchor]) => ({
      page,
      link: `${page}: ${link}`,
      target: to === "" ? page : join(dirname(page), to),
      anchor,
    })),
  );

  it("pages lead to files and headings that are there", () => {
    assert.ok(links.length > 50);
    assert.deepEqual(
      links.filter((link) => !isThere(link)).map(({ link }) => link),
      [],
    );
  });

  it("pages name files and folders that are there where they tell contributors of them", () => {
    const text = inRepository(["CONTRIBUTING.md", "docs/decisions/*.md"]).map(textOf).join("\n");
    const paths = [...text.matchAll(/`((?:\.?[\w-]+\/)+[\w.-]*)`/g)].map(([, path = ""]) => path);
    assert.deepEqual(
      paths.filter((path) => path !== "_site/" && !existsSync(join(repository, path))),
      [],
    );
  });

  it("pages name files that are there where they leave out the folder", () => {
    const text = inRepository(["CONTRIBUTING.md", "docs/decisions/*.md"]).map(textOf).join("\n");
    const names = [...text.matchAll(/`([\w-]+(?:\.\w+)*\.ts)`/g)].map(([, name = ""]) => name);
    const files = inRepository("!(node_modules)/**/*.ts")
      .concat(inRepository("*.ts"))
      .map((file) => basename(file));
    assert.ok(names.length > 10);
    assert.deepEqual(
      names.filter((name) => !files.includes(name)),
      [],
    );
  });

  it("every page is in the index, or in the index of decisions", () => {
    const indexes = inRepository(["docs/README.md", "docs/decisions/README.md"]);
    const listed = links.filter(({ page }) => indexes.includes(page)).map(({ target }) => target);
    assert.deepEqual(
      docs.filter((page) => page !== join(repository, "docs/README.md") && !listed.includes(page)),
      [],
    );
  });

  it("messages, schemas, workflows, manifests and comments name pages that are there", () => {
    const files = inRepository([
      "*.{ts,yaml,md}",
      ".github/**/*.{ts,yml}",
      "{buckets,cluster,commands,components,config,deploy,bench,docs,objects,plan,runs,sandbox,schema,tools,test,watch}/**/*.{ts,json,yaml,md}",
    ]);
    const named = files.flatMap((file) =>
      [...textOf(file).matchAll(/(?<![\w./-])(docs\/[\w/-]+\.md)(?:#([\w-]+))?/g)].map(([, page = "", anchor]) => ({
        name: `${file}: ${page}#${anchor}`,
        target: join(repository, page),
        anchor,
      })),
    );
    assert.ok(named.length > 50);
    assert.deepEqual(
      named.filter((name) => !isThere(name)).map(({ name }) => name),
      [],
    );
  });

  it("what-a-run-does.md names each step's function, and the file that has it", () => {
    const page = textOf(join(repository, "docs/run/what-a-run-does.md"));
    const steps = [...page.matchAll(/^\| [\d to]+ \| (`.*) in `([^`]+)` \|$/gm)];
    const named = steps.flatMap(([, names = "", file = ""]) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name]) => ({ name, file })),
    );
    assert.equal(named.length, 8);
    const absent = named.filter(
      ({ name, file }) => !new RegExp(`function ${name}\\b`).test(textOf(join(repository, file))),
    );
    assert.deepEqual(absent, []);
  });
});
