import assert from "node:assert/strict";
import { readYaml } from "../../../../config/sources/yaml.ts";
import { mistakeLines } from "../../../../config/values/mistakes.ts";

const values = (text: string) => readYaml("a.yaml", text).documents.map(({ value }) => value);
const lines = (text: string) => mistakeLines(readYaml("a.yaml", text).mistakes);

describe("YAML", () => {
  it("reads YAML as version 1.2 has it: dates and 'yes' are text", () => {
    assert.deepEqual(values("a: 2026-12-31\nb: yes\nc: 0x10\nd: 0o10\ne: ~\nf: '5'\n5: g\nh: 0\ni: 0.5\n"), [
      { a: "2026-12-31", b: "yes", c: 16, d: 8, e: null, f: "5", "5": "g", h: 0, i: 0.5 },
    ]);
  });

  it("takes no side where a number begins with 0, over which readers of YAML differ", () => {
    assert.deepEqual(values("a: 010\nb: -010\n"), [{ a: "010", b: "-010" }]);
  });

  it("reads anchors, aliases and merge keys of YAML, over which a map's own keys win", () => {
    assert.deepEqual(
      values("- &a { x: 1, y: [1] }\n- *a\n- { x: 2, <<: *a, z: 3 }\n- { <<: [{ y: 5 }, *a] }\n- &a 7\n- *a\n"),
      [[{ x: 1, y: [1] }, { x: 1, y: [1] }, { x: 2, y: [1], z: 3 }, { x: 1, y: 5 }, 7, 7]],
    );
  });

  it("keeps the lines of what an alias in YAML stands for", () => {
    const [document] = readYaml("a.yaml", "x: &x\n  deep:\n    key: 1\ny: *x\n").documents;
    assert.deepEqual(
      [["x", "deep", "key"], ["y"], ["y", "deep"], ["y", "deep", "key"], ["z"], []].map((path) =>
        document?.lineOf(path),
      ),
      [3, 4, 2, 3, 1, 1],
    );
  });

  it("leaves other blanks in texts of YAML as they are", () => {
    const page = "pages:\n  index.md: |\n    \u3000first\u00a0: \u3000\n  b: x\u00a0y\n";
    assert.deepEqual(values(page), [{ pages: { "index.md": "\u3000first\u00a0: \u3000\n", b: "x\u00a0y" } }]);
  });

  it("makes no other keys of YAML than those that stand there", () => {
    const [value] = values('{ "__proto__": { "a": 1 } }');
    assert.deepEqual(Object.keys(value as object), ["__proto__"]);
    assert.equal((value as { a?: number }).a, undefined);
  });

  it("names a key with another blank whole, also with a prefix, quotes or blanks", () => {
    assert.deepEqual(lines("kubecamp:route: 1\n'a b': 2\nc d : 3\nkubecamp:route: 4\n'a b': 5\nc d : 6\n"), [
      "a.yaml:4: the key kubecamp:route is listed twice; keep one",
      "a.yaml:5: the key 'a b' is listed twice; keep one",
      "a.yaml:6: the key c d is listed twice; keep one",
    ]);
  });

  const nested = "is no YAML: Nested mappings are not allowed in compact mappings";
  const wide = "where only a plain one can be; replace all of these";
  const tenOf = (name: string) => Array(10).fill(`*${name}`).join(", ");
  const aliases = [..."bcdefgh"].map((name, at) => `${name}: &${name} [${tenOf("abcdefg"[at] ?? "")}]\n`).join("");
  for (const [what, text, ...reported] of [
    [
      "a bracket is open",
      "a: 1\nb: [1,\n",
      "3: is no YAML: Flow sequence in block collection must be sufficiently indented and end with a ]",
    ],
    [
      "the first lines tell that the text is none",
      "a: b: 1\nc: d: 2\ne: f: 3\ng: h: 4\ni: j: 5\n",
      ...[`1: ${nested}`, `2: ${nested}`, `3: ${nested}`],
      "4: is no YAML either, nor is 1 line after it: is this the right file?",
    ],
    [
      "other blanks than plain ones stand beside keys",
      "- a: 1\n\u00a0\u00a0b: 2\n  c:\n\u3000\u3000d: 3\n- e: 4\n  f: 5\n",
      `2: has a no-break blank (U+00A0) ${wide}`,
      `4: has an ideographic blank (U+3000) ${wide}`,
    ],
    ["another blank begins a key", "- a: 1\n  \u00a0b: 2\n", `2: has a no-break blank (U+00A0) ${wide}`],
    ["another blank ends a key", "- a: 1\n  b\u200b: 2\n", `2: has an unseen blank (U+200B) ${wide}`],
    ["another blank follows a dash", "-\u3000a: 1\n", `1: has an ideographic blank (U+3000) ${wide}`],
    ["another blank follows a key", "- a: 1\n  b:\u00a02\n", `2: has a no-break blank (U+00A0) ${wide}`],
    ["a line has a wide colon", "- a\uff1a1\n  b: 2\n", "1: has a wide colon (U+FF1A); write ': '"],
    ["a line begins with another dash", "\u2013 a: 1\n  b: 2\n", "1: begins with another dash than '-'"],
    ["a line has no blank after a colon", "- a:1\n  b: 2\n", "1: has no blank after the colon"],
    ["an alias stands for nothing", "a: 1\nb: *c\n", "2: *c stands for nothing: there is no &c before it"],
    [
      "aliases of aliases come to more than fits",
      `a: &a [1, 2, 3]\n${aliases}`,
      "8: comes to more than 5000000 values with its aliases written out",
    ],
  ] as const) {
    it(`reads nothing of YAML, and says where ${what}`, () => {
      const expected = reported.map((line) => `a.yaml:${line}`);
      assert.deepEqual(lines(text), expected);
      assert.deepEqual(values(text), []);
    });
  }
});
