import assert from "node:assert/strict";
import { style } from "../../../../commands/board/page.ts";

/** Colours by their names, in light and in dark. */
const [light, dark] = [...style.matchAll(/:root \{([^}]*--text:[^}]*)\}/g)].map(
  ([, rule = ""]) => new Map([...rule.matchAll(/--([\w-]+): (#\w+)/g)].map(([, name, colour]) => [name, colour])),
);

/** @see https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(colour: string): number {
  const digits = colour.length === 4 ? colour.replaceAll(/\w/g, "$&$&") : colour;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(digits.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

describe("the board's colours", () => {
  for (const [name, colours = new Map()] of [
    ["light", light],
    ["dark", dark],
  ] as const) {
    const contrast = (text: string, ground: string) => {
      const [low = 0, high = 0] = [text, ground]
        .map((each) => luminance(colours.get(each) ?? ""))
        .sort((a, b) => a - b);
      return (high + 0.05) / (low + 0.05);
    };
    it(`the board's colours are readable for everybody in ${name}`, () => {
      const grounds = ["ground", "raised"].flatMap((ground) =>
        ["text", "quiet", "link"].map((text) => [text, ground] as const),
      );
      const badges = [...colours.keys()].flatMap((key) =>
        colours.has(`${key}-on`) ? [[key, `${key}-on`] as const] : [],
      );
      assert.equal(badges.length, 6);
      assert.deepEqual(
        [...grounds, ...badges].filter(([text, ground]) => !(contrast(text, ground) >= 4.5)),
        [],
      );
    });
  }
});
