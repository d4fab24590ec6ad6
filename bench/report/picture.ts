import type { Part } from "../measure/parts.ts";
import { costOf, type Operation, type Results, type SizeResults, type Tool } from "../results.ts";
import { chartHeight, chartSvg, chartWidth, type Series } from "./chart.ts";

/** Distinguishable with colour blindness, and on a dark background: https://jfly.uni-koeln.de/color/ */
const colours = ["#0072b2", "#d55e00", "#009e73"];

const style = `
text { font: 12px system-ui, sans-serif; fill: #1f2328 }
.title { font-weight: 600; font-size: 14px }
.grid { stroke: #8c959f; stroke-opacity: 0.35 }
polyline { fill: none; stroke-width: 2 }
${colours.map((colour, index) => `.l${index} { stroke: ${colour} } .c${index} { fill: ${colour} }`).join("\n")}
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } polyline, [class^="c"] { filter: brightness(1.35) } }
`;

/** Times and peak memory by number of members, as SVG. */
export function pictureOf({ sizes }: Results): string {
  const charts = [
    { title: "Seconds", left: 0, series: times(sizes) },
    { title: "Peak memory of kubecamp's runs, MiB", left: chartWidth, series: memory(sizes) },
  ].filter(({ series }) => series.length > 0);
  const width = chartWidth * charts.length;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${chartHeight}" width="${width}" height="${chartHeight}" role="img">`,
    "<title>What members cost, by how many there are</title>",
    `<style>${style}</style>`,
    ...charts.map(chartSvg),
    "</svg>\n",
  ].join("\n");
}

function times(sizes: readonly SizeResults[]): Series[] {
  const lines: readonly (readonly [string, Operation, Tool, number])[] = [
    ["create: kubecamp up", "create", "kubecamp", 0],
    ["create: kubectl apply", "create", "kubectl", 0],
    ["unchanged: preview", "unchanged preview", "kubecamp", 1],
    ["unchanged: kubectl diff", "unchanged preview", "kubectl", 1],
    ["one member added: up", "one member added", "kubecamp", 2],
  ];
  return lines.flatMap(([name, operation, tool, colour]) =>
    drawn(
      { name, colour, isBaseline: tool === "kubectl" },
      sizes.map((size) => [size.members, costOf(size, operation, tool)?.seconds]),
    ),
  );
}

function memory(sizes: readonly SizeResults[]): Series[] {
  const lines: readonly (readonly [string, Part])[] = [
    ["kubecamp", "kubecamp"],
    ["pulumi", "cli"],
    ["plugin", "plugin"],
  ];
  return lines.flatMap(([name, part], colour) =>
    drawn(
      { name, colour, isBaseline: false },
      sizes.map(({ members, rows }) => [
        members,
        Math.max(
          0,
          ...rows.filter(({ tool }) => tool === "kubecamp").map(({ cost }) => cost.parts[part]?.peakMiB ?? 0),
        ),
      ]),
    ),
  );
}

/** A line through the measured values, if there are any. */
function drawn(line: Omit<Series, "points">, values: readonly (readonly [number, number | undefined])[]): Series[] {
  const points = values.flatMap(([x, y]) => (y === undefined || y === 0 ? [] : [{ x, y }]));
  return points.length === 0 ? [] : [{ ...line, points }];
}
