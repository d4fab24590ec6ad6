/** A picture's size and what is in it; `title` is what a screen reader says. */
interface Picture {
  readonly title: string;
  readonly width: number;
  readonly height: number;
  readonly style: string;
  readonly body: readonly string[];
}

export const svg = ({ title, width, height, style, body }: Picture): string =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>${style}</style>`,
    ...body,
    "</svg>\n",
  ].join("\n");

/** Text at a place in pixels; a second piece goes on behind the first in a look of its own. */
export const textAt = (x: number, y: number, text: string, classes = "", rest = "", restClasses = ""): string =>
  `<text x="${x}" y="${y}" xml:space="preserve">${piece(text, classes)}${piece(rest, restClasses)}</text>`;

function piece(text: string, classes: string): string {
  if (text === "" || classes === "") return escaped(text);
  return `<tspan class="${classes}">${escaped(text)}</tspan>`;
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Breaks text into lines of at most `width` pixels. No font is at hand, so widths are estimates on the safe side. */
export function linesOf(text: string, width: number, fontSize: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && widthOf(longer, fontSize) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

export const widthOf = (text: string, fontSize: number): number =>
  fontSize * [...text].reduce((sum, letter) => sum + (letterWidths.find(([some]) => some.test(letter))?.[1] ?? 0.6), 0);

const letterWidths: readonly (readonly [RegExp, number])[] = [
  [/[ijlIft.,:;'|!()[\] ]/, 0.36],
  [/[mwMW@−→]/, 0.92],
  [/[A-Z]/, 0.72],
];
