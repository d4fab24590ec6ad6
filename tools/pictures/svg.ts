export const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

interface Drawing {
  /** For screen readers, as the description is. */
  readonly title: string;
  readonly description: string;
  readonly width: number;
  readonly height: number;
}

/** On a background of its own: GitHub's theme and the system's, which the media query asks for, may differ. */
const style = `
text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328 }
.name { font-weight: 600 } .small { font-size: 12px; fill: #59636e }
.card { fill: #ffffff } .box { fill: #f6f8fa; stroke: #818b98 } .frame { fill: none; stroke: #818b98; stroke-dasharray: 5 4 }
.line { fill: none; stroke: #0969da; shape-rendering: crispEdges } .tip { fill: #0969da }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } .small { fill: #9198a1 }
.card { fill: #0d1117 } .box { fill: #151b23; stroke: #656c76 } .frame { stroke: #656c76 }
.line { stroke: #4493f8 } .tip { fill: #4493f8 }
}
`;

/** A picture of plain shapes, with its text as text. */
export function picture({ title, description, width, height }: Drawing, shapes: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="t d">`,
    `<title id="t">${escaped(title)}</title>`,
    `<desc id="d">${escaped(description)}</desc>`,
    `<style>${style}</style>`,
    `<rect class="card" width="${width}" height="${height}" rx="6"/>`,
    ...shapes,
    "</svg>\n",
  ].join("\n");
}

export interface Place {
  readonly x: number;
  readonly y: number;
}

export const words = ({ x, y }: Place, text: string, kind: "plain" | "name" | "small" = "plain"): string =>
  `<text${kind === "plain" ? "" : ` class="${kind}"`} x="${x}" y="${y}">${escaped(text)}</text>`;

export interface Area extends Place {
  readonly width: number;
  readonly height: number;
}

export const rectangle = (kind: "box" | "frame", { x, y, width, height }: Area): string =>
  `<rect class="${kind}" x="${x}" y="${y}" width="${width}" height="${height}" rx="5"/>`;

export const line = (...corners: readonly Place[]): string =>
  `<polyline class="line" points="${corners.map(({ x, y }) => `${x},${y}`).join(" ")}"/>`;

export const dot = ({ x, y }: Place): string => `<circle class="tip" cx="${x}" cy="${y}" r="4"/>`;

const tips = { up: "-4,8 4,8", down: "-4,-8 4,-8", left: "8,-4 8,4", right: "-8,-4 -8,4" };

/** The tip of an arrow that points to a place. */
export const tip = ({ x, y }: Place, towards: keyof typeof tips): string =>
  `<polygon class="tip" points="0,0 ${tips[towards]}" transform="translate(${x} ${y})"/>`;
