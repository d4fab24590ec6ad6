import type { Part } from "../measure/parts.ts";
import { costOf, type Operation, type Results, type SizeResults, type Tool } from "../results.ts";
import { chartHeight, chartSvg, chartWidth, type Series } from "./chart.ts";

/** Told apart by all, also on a dark ground: https://jfly.uni-koeln.de/color/ */
const colours = ["#0072b2", "#0072b2", "#d55e00", "#d55e00", "#009e73"];

const style = `
text { font: 12px system-ui, sans-serif; fill: #1f2328 }
.title { font-weight: 600; font-size: 14px }
.grid { stroke: #8c959f; stroke-opacity: 0.35 }
polyline { fill: none; stroke-width: 2 }
${colours.map((colour, index) => `.l${index} { stroke: ${colour} } .c${index} { fill: ${colour} }`).join("\n")}
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } polyline, circle { filter: brightness(1.35) } }
`;

/** What takes how long, and what needs how much memory, by numbers of members. */
export function pictureOf({ sizes }: Results): string {
  const charts = [
    { title: "Seconds", left: 0, series: times(sizes) },
    { title: "Peak memory of an up or preview, MiB", left: chartWidth, series: memory(sizes) },
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
  const lines: readonly (readonly [string, Operation, Tool])[] = [
    ["create: up, no checkpoints", "create", "quick"],
    ["create: kubectl apply", "create", "kubectl"],
    ["unchanged: preview", "unchanged preview", "pulumi"],
    ["unchanged: kubectl diff", "unchanged preview", "kubectl"],
    ["one member added: up", "one member added", "pulumi"],
  ];
  return lines.flatMap(([name, operation, tool]) =>
    drawn(
      name,
      sizes.map((size) => [size.members, costOf(size, operation, tool)?.seconds]),
      tool === "kubectl",
    ),
  );
}

function memory(sizes: readonly SizeResults[]): Series[] {
  const lines: readonly (readonly [string, Part])[] = [
    ["program", "program"],
    ["pulumi", "cli"],
    ["plugin", "plugin"],
  ];
  return lines.flatMap(([name, part]) =>
    drawn(
      name,
      sizes.map(({ members, rows }) => [
        members,
        Math.max(0, ...rows.map(({ cost }) => cost.parts[part]?.peakMiB ?? 0)),
      ]),
    ),
  );
}

/** A line through what was measured, if anything was. */
function drawn(name: string, values: readonly (readonly [number, number | undefined])[], isBaseline = false): Series[] {
  const points = values.flatMap(([x, y]) => (y === undefined || y === 0 ? [] : [{ x, y }]));
  return points.length === 0 ? [] : [{ name, isBaseline, points }];
}
