import type { Cost } from "../measure/measured.ts";
import { costOf, type Form, type Operation, type SizeResults, type Tool, toolNames } from "../results.ts";
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

const near: readonly Tool[] = ["kubectl", "helm", "pulumi", "quick", "kubecamp"];
const far: readonly Tool[] = ["kubectl", "helm", "kubecamp"];

/** A summary table for a hundred members, or for the largest measured number. */
export function digest(sizes: readonly SizeResults[]): Titled[] {
  const size = sizes.find(({ members }) => members === usual) ?? sizes.at(-1);
  if (size === undefined) return [];
  const { members, distant } = size;
  const rows = works.map(([name, operation]) => [
    name,
    ...near.map((tool) => seconds(costAt(size, operation, tool), costAt(size, operation, "kubectl"))),
    ...(distant === undefined
      ? []
      : far.map((tool) => seconds(costOf(distant, operation, tool), costOf(distant, operation, "kubectl")))),
  ]);
  const memory = ["peak MiB, one limit", ...near.map((tool) => peak(costOf(size, "one limit changed", tool)))];
  const head = [
    "work",
    ...near.map((tool) => toolNames[tool]),
    ...(distant === undefined ? [] : far.map((tool) => `${toolNames[tool]}, ${distant.roundTrip} ms away`)),
  ];
  const padded = [...memory, ...head.slice(memory.length).map(() => "")];
  const measured = [...rows, padded].filter(hasFigures);
  return measured.length === 0 ? [] : [{ title: `${members} members, in short`, rows: [head, ...measured] }];
}

/** For a dozen joiners, Pulumi's own cost is among the checkpoint results. */
function costAt(size: SizeResults, operation: Operation, tool: Tool): Cost | undefined {
  const forms: Readonly<Partial<Record<Tool, Form>>> = { pulumi: "plain", quick: "no checkpoints" };
  const measured = costOf(size, operation, tool);
  return measured === undefined && operation === "a dozen members added"
    ? size.checkpoints.find(({ form }) => form === forms[tool])?.created?.cost
    : measured;
}

function seconds(cost: Cost | undefined, kubectl: Cost | undefined): string {
  if (cost === undefined) return "";
  const times = kubectl === undefined || kubectl === cost ? "" : ` (${(cost.seconds / kubectl.seconds).toFixed(1)} ×)`;
  return `${cost.seconds.toFixed(1)} s${times}`;
}

/** Peak memory of all processes together, in MiB. */
function peak(cost: Cost | undefined): string {
  return cost === undefined
    ? ""
    : Object.values(cost.parts)
        .reduce((sum, { peakMiB }) => sum + peakMiB, 0)
        .toFixed(0);
}

const hasFigures = (row: readonly string[]) => row.slice(1).some((cell) => cell !== "");
