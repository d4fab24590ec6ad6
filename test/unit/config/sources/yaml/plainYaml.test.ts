import assert from "node:assert/strict";
import { AmbiguousYaml, plainYaml } from "../../../../../config/sources/yaml/plainYaml.ts";

/** The value under `a`, in a list, as a map's value, and as that of the key itself. */
const readings = (text: string) =>
  [`a: ${text}\n`, `a:\n  - ${text}\n`, `a:\n  k: ${text}\n`].map(
    (file) => plainYaml(file, ["a"], (day) => `day ${day}`).a,
  );

describe("YAML that every reader reads alike", () => {
  for (const [text, value] of [
    ["0", 0],
    ["1.5", 1.5],
    ["true", true],
    ["yes", "yes"],
    ["1Gi", "1Gi"],
    ["10.0.0.0/8", "10.0.0.0/8"],
    ["2026-12-31", "day 2026-12-31"],
    ["'010'", "010"],
    ["https://id.example.org/x?y=z", "https://id.example.org/x?y=z"],
    ["[1, x]", [1, "x"]],
    ["|-\n      one\n        two\n", "one\n  two"],
  ] as const) {
    it(`plain YAML takes ${JSON.stringify(text)}`, () =>
      assert.deepEqual(readings(text), [value, [value], { k: value }]));
  }

  it("plain YAML has maps in the order of their keys, as Pulumi hands them over", () => {
    assert.equal(
      JSON.stringify(plainYaml("a: { b: 1, B: 2, a: { z: 1, c: 2 } }", ["a"])),
      '{"a":{"B":2,"a":{"c":2,"z":1},"b":1}}',
    );
  });

  it("plain YAML may have anything else beside what is asked for", () => {
    assert.deepEqual(plainYaml("a: 1\nb: 010\n", ["a"]), { a: 1 });
  });

  for (const [what, ...texts] of [
    ["a number that is octal or hexadecimal to a reader", "010", "0o7", "0x1F", "0b1", "-010"],
    ["a number that is text to a reader", "1_000", "+1", "0_7", ".inf", "-.inf", ".nan", "+.inf"],
    [
      "a number whose figures a reader drops",
      "1.50",
      "1.0",
      "1e3",
      "1234567890123456",
      "12345678901234567890",
      "-1.5e2",
    ],
    ["a point in time", "2026-12-31T00:00:00Z", "2026-12-31 10:00:00", "2026-1-2", "2026-02-30", "12:30:45"],
    ["nothing at all", "null", "~", "{ k: }"],
    ["a text over several lines", "one\n    two", "'one\n    two'", '"one\n    two"', ">\n      one\n      two\n"],
    ["a tag", "!!str 1", "!!str x", "!secret x", "!!map {}"],
    ["a key that is no text", "{ 1: x }", "{ true: x }", "{ 2026-12-31: x }", "{ ? [x] : y }"],
    ["a merged map", "{ <<: { b: 1 }, c: 2 }"],
    ["a mistake", "{ b: 1, b: 2 }", "[,]"],
  ] as const) {
    for (const text of texts) {
      it(`plain YAML refuses ${what}, such as ${JSON.stringify(text)}`, () =>
        assert.throws(() => readings(text), AmbiguousYaml));
    }
  }

  for (const [what, text] of [
    ["an alias", "b: &x 1\na: *x\n"],
    ["a version", "%YAML 1.1\n---\na: 1\n"],
    ["a date of unknown use", "a: 2026-12-31\n"],
    ["a file that is a list", "- a\n"],
  ] as const) {
    it(`plain YAML refuses ${what}`, () => assert.throws(() => plainYaml(text, ["a"]), AmbiguousYaml));
  }
});
