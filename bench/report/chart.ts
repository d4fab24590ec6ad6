/** A line in a chart. */
export interface Series {
  readonly name: string;
  /** Number of the CSS class of its line, dots and name. */
  readonly colour: number;
  /** Whether the others are compared with it: drawn dashed. */
  readonly isBaseline?: boolean;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

/** A chart, and its place in the picture in pixels. */
interface Chart {
  readonly title: string;
  readonly left: number;
  readonly series: readonly Series[];
}

export const chartWidth = 440;
export const chartHeight = 330;

const plot = { left: 48, right: 270, top: 44, bottom: 290 };
/** Least distance between names beside the lines, in pixels. */
const lineHeight = 15;

/** A chart as SVG with logarithmic axes: values proportional to the number of members rise along the diagonal. */
export function chartSvg({ title, left, series }: Chart): string {
  const points = series.flatMap((each) => each.points);
  const x = axis(
    points.map((point) => point.x),
    plot.left,
    plot.right,
  );
  const y = axis(
    points.map((point) => point.y),
    plot.bottom,
    plot.top,
  );
  const grid = [
    ...x.decades.map(
      (at) => line(x.at(at), plot.top, x.at(at), plot.bottom) + label(x.at(at), plot.bottom + 18, at, "middle"),
    ),
    ...y.decades.map(
      (at) => line(plot.left, y.at(at), plot.right, y.at(at)) + label(plot.left - 6, y.at(at) + 4, at, "end"),
    ),
  ];
  const placed = series.map((each, index) => ({
    ...each,
    index,
    places: each.points.map((p) => [x.at(p.x), y.at(p.y)]),
  }));
  const ends = spread(placed.map(({ places }) => places.at(-1)?.[1] ?? plot.bottom));
  const lines = placed.map(({ name, colour, isBaseline, index, places }) => {
    const path = places.map((place) => place.map(digits).join(",")).join(" ");
    const dots = places.map(
      ([cx = 0, cy = 0]) => `<circle class="c${colour}" cx="${digits(cx)}" cy="${digits(cy)}" r="3"/>`,
    );
    const dashed = isBaseline === true ? ' stroke-dasharray="5 4"' : "";
    const text = `<text class="c${colour}" x="${plot.right + 10}" y="${digits((ends[index] ?? 0) + 4)}">${escaped(name)}</text>`;
    return `<polyline class="l${colour}"${dashed} points="${path}"/>${dots.join("")}${text}`;
  });
  const heading = `<text class="title" x="${plot.left}" y="22">${escaped(title)}</text>`;
  const below = `<text x="${(plot.left + plot.right) / 2}" y="${plot.bottom + 36}" text-anchor="middle">members</text>`;
  return `<g transform="translate(${left} 0)">\n${[heading, ...grid, below, ...lines].join("\n")}\n</g>`;
}

/** A logarithmic axis of whole decades, between two pixels. */
function axis(values: readonly number[], from: number, to: number) {
  const logs = values.filter((value) => value > 0).map(Math.log10);
  const low = Math.floor(Math.min(...logs));
  const high = Math.max(Math.ceil(Math.max(...logs)), low + 1);
  return {
    at: (value: number) => from + ((Math.log10(Math.max(value, 10 ** low)) - low) / (high - low)) * (to - from),
    decades: Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index)),
  };
}

/** Moves heights apart that are too close, from the top down, in their order. */
function spread(heights: readonly number[]): number[] {
  const moved = [...heights];
  const byHeight = heights.map((_, index) => index).sort((a, b) => (heights[a] ?? 0) - (heights[b] ?? 0));
  for (const [rank, index] of byHeight.entries()) {
    const above = moved[byHeight[rank - 1] ?? -1];
    moved[index] = Math.max(heights[index] ?? 0, (above ?? Number.NEGATIVE_INFINITY) + lineHeight);
  }
  return moved;
}

function line(x1: number, y1: number, x2: number, y2: number): string {
  const [a, b, c, d] = [x1, y1, x2, y2].map(digits);
  return `<line class="grid" x1="${a}" y1="${b}" x2="${c}" y2="${d}"/>`;
}

function label(x: number, y: number, value: number, anchor: "middle" | "end"): string {
  const text = new Intl.NumberFormat("en-GB", { maximumSignificantDigits: 1 }).format(value);
  return `<text x="${digits(x)}" y="${digits(y)}" text-anchor="${anchor}">${text}</text>`;
}

function digits(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
