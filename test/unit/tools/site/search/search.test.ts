import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../../../../../sandbox/paths.ts";
import { layout } from "../../../../../tools/site/layout.ts";
import { pagesIn, type SitePage } from "../../../../../tools/site/pages.ts";
import { entriesOf } from "../../../../../tools/site/search/entries.ts";
import { find } from "../../../../../tools/site/search/find.ts";

const page: SitePage = { source: "docs/run/sleep.md", title: "Let members sleep", language: "en" };
const text = `# Let members sleep

A night has hours.

## At \`dawn\`

| when | what |
|---|---|
| seven | wake |

## At dawn

\`\`\`sh
# no heading
kubectl get pods
\`\`\`
`;

describe("the search of the site", () => {
  const entries = entriesOf(page, text);
  const urls = (query: string) => find(entries, query).map(({ url }) => url);

  it("the index has a page's sections by their anchors, with each word once", () => {
    const [title, rest] = ["Let members sleep", "let members sleep"];
    assert.deepEqual(entries, [
      { url: "docs/run/sleep.html", title, heading: title, words: `${rest} a night has hours.` },
      { url: "docs/run/sleep.html#at-dawn", title, heading: "At dawn", words: `${rest} at dawn when what seven wake` },
      {
        url: "docs/run/sleep.html#at-dawn-1",
        title,
        heading: "At dawn",
        words: `${rest} at dawn no heading kubectl get pods`,
      },
    ]);
  });

  it("a query finds the sections that have all its words, in any case and order, also parts of words", () => {
    assert.deepEqual(urls("SEVEN, dawn!"), ["docs/run/sleep.html#at-dawn"]);
    assert.deepEqual(urls("kube"), ["docs/run/sleep.html#at-dawn-1"]);
    assert.deepEqual(urls("seven pods"), []);
    assert.deepEqual(urls(" ,"), []);
  });

  it("a page comes before its sections where the title has the word, and a heading before text", () => {
    assert.equal(urls("sleep")[0], "docs/run/sleep.html");
    const [other] = entriesOf({ ...page, source: "docs/run/up.md", title: "X" }, "# X\n\nUp at dawn.\n");
    assert.ok(other);
    assert.deepEqual(
      find([other, ...entries], "dawn").map(({ url }) => url),
      ["docs/run/sleep.html#at-dawn", "docs/run/sleep.html#at-dawn-1", "docs/run/up.html"],
    );
  });

  it("the search runs in a browser, where its function stands alone", () => {
    const alone = new Function(`${find}; return find;`)() as typeof find;
    assert.deepEqual(alone(entries, "dawn"), find(entries, "dawn"));
  });

  describe("in kubecamp's own pages", () => {
    const pages = pagesIn(repository);
    const all = pages.flatMap((each) => entriesOf(each, readFileSync(join(repository, each.source), "utf8")));
    for (const [query, url] of [
      ["archive", "docs/run/archive.html"],
      ["restore archive", "docs/run/archive.html#restore"],
      ["waits for lease", "docs/run/watch-in-cluster.html#operate-it"],
      ["graceDays", "docs/reference/settings.html#offboarding"],
      ["名前空間", "index.ja.html"],
    ] as const) {
      it(`"${query}" finds ${url} among the first`, () => {
        const first = find(all, query).slice(0, 12);
        assert.ok(
          first.some((entry) => entry.url === url),
          first.map((entry) => entry.url).join(" "),
        );
      });
    }
  });

  for (const [language, label] of [
    ["en", "Search"],
    ["ja", "検索"],
  ] as const) {
    it(`a page in ${language} has the input with the label ${label}, and the script from where it is`, () => {
      const html = layout({ ...page, language }, "<h1>x</h1>", { sections: [], pages: new Map() });
      assert.match(html, new RegExp(`<label for="search">${label}</label>\n<input id="search" type="search"`));
      assert.match(html, /<script src="\.\.\/\.\.\/search\.js" defer><\/script>/);
    });
  }
});
