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

/** Text at a place in pixels. */
export const textAt = (x: number, y: number, text: string, classes = ""): string =>
  `<text x="${x}" y="${y}" xml:space="preserve">${piece(text, classes)}</text>`;

function piece(text: string, classes: string): string {
  if (text === "" || classes === "") return escaped(text);
  return `<tspan class="${classes}">${escaped(text)}</tspan>`;
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
