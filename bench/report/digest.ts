import type { Cost } from "../measure/measured.ts";
import { costOf, type Operation, type SizeResults, type Tool, toolNames } from "../results.ts";
import type { Titled } from "./cells.ts";

/** Number of members of a typical list. */
const usual = 100;

const works: readonly (readonly [string, Operation])[] = [
  ["create", "create"],
  ["a dozen join", "a dozen members added"],
  ["unchanged: preview", "unchanged preview"],
  ["unchanged: up", "unchanged up"],
  ["one limit", "one limit changed"],
  ["one joins", "one member added"],
  ["one leaves", "one member removed"],
];

const order: readonly Tool[] = ["kubectl", "helm", "pulumi", "kubecamp"];
const toolsIn = ({ rows }: Pick<SizeResults, "rows">) => order.filter((each) => rows.some(({ tool }) => tool === each));

/** A summary table for a hundred members, or for the largest measured number. */
export function digest(sizes: readonly SizeResults[]): Titled[] {
  const size = sizes.find(({ members }) => members === usual) ?? sizes.at(-1);
  if (size === undefined) {
    return [];
  }
  const { members, distant } = size;
  const near = toolsIn(size);
  const rows = works.map(([name, operation]) => [
    name,
    ...near.map((tool) => seconds(costOf(size, operation, tool), costOf(size, operation, "kubectl"))),
    ...(distant === undefined
      ? []
      : toolsIn(distant).map((tool) =>
          seconds(costOf(distant, operation, tool), costOf(distant, operation, "kubectl")),
        )),
  ]);
  const memory = [
    "peak MiB, one limit",
    ...near.map((tool) => costOf(size, "one limit changed", tool)?.peakMiB.toFixed(0) ?? ""),
  ];
  const head = [
    "work",
    ...near.map((tool) => toolNames[tool]),
    ...(distant === undefined
      ? []
      : toolsIn(distant).map((tool) => `${toolNames[tool]}, ${distant.roundTrip} ms away`)),
  ];
  const padded = [...memory, ...head.slice(memory.length).map(() => "")];
  const measured = [...rows, padded].filter(hasFigures);
  return measured.length === 0 ? [] : [{ title: `${members} members, in short`, rows: [head, ...measured] }];
}

function seconds(cost: Cost | undefined, kubectl: Cost | undefined): string {
  if (cost === undefined) {
    return "";
  }
  const times = kubectl === undefined || kubectl === cost ? "" : ` (${(cost.seconds / kubectl.seconds).toFixed(1)} ×)`;
  return `${cost.seconds.toFixed(1)} s${times}`;
}

const hasFigures = (row: readonly string[]) => row.slice(1).some((cell) => cell !== "");
