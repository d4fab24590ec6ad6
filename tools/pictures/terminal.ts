import { escaped } from "./svg.ts";

const lineHeight = 19;
const letter = 7.9;
const margin = 18;
const bar = 34;

/** Seconds from a line to the next. A reader who wants no motion gets all lines at once. */
const pace = 0.35;

const style = (lines: number) => `
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #e6edf3 }
.prompt { fill: #7ee787 } .done { fill: #3fb950 } .window { fill: #161b22 }
@media (prefers-reduced-motion: no-preference) {
g { animation: show 0.01s both }
@keyframes show { from { opacity: 0 } }
${Array.from({ length: lines }, (_, line) => `.n${line} { animation-delay: ${(line * pace).toFixed(2)}s }`).join("\n")}
}
`;

/** A terminal in which a command prints its lines, one after the other. */
export function terminalPicture(title: string, command: string, output: string): string {
  const lines = [`$ ${command}`, ...output.split("\n")];
  const width = Math.ceil(2 * margin + letter * Math.max(...lines.map((line) => line.length)));
  const height = bar + margin + lines.length * lineHeight;
  const dots = ["#ff5f57", "#febc2e", "#28c840"].map(
    (colour, index) => `<circle cx="${margin + 4 + index * 18}" cy="18" r="5.5" fill="${colour}"/>`,
  );
  const body = [
    `<rect class="window" width="${width}" height="${height}" rx="8"/>`,
    ...dots,
    ...lines.map((line, index) => `<g class="n${index}">${lineAt(line, bar + margin + index * lineHeight)}</g>`),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    // What a screen reader says.
    `<title>${escaped(title)}</title>`,
    `<style>${style(lines.length)}</style>`,
    ...body,
    "</svg>\n",
  ].join("\n");
}

function lineAt(line: string, y: number): string {
  if (line.startsWith("$ ")) {
    return textAt(margin, y, "$", "prompt") + textAt(margin + 2 * letter, y, line.slice(2));
  }
  if (line.startsWith("✔ ")) {
    return textAt(margin, y, "✔", "done") + textAt(margin + 2 * letter, y, line.slice(2));
  }
  return textAt(margin, y, line);
}

/** Text at a place in pixels. */
const textAt = (x: number, y: number, text: string, classes = ""): string =>
  `<text x="${x}" y="${y}" xml:space="preserve">${piece(text, classes)}</text>`;

function piece(text: string, classes: string): string {
  if (text === "" || classes === "") {
    return escaped(text);
  }
  return `<tspan class="${classes}">${escaped(text)}</tspan>`;
}
