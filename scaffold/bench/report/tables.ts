import { lookEvery } from "../measure/measured.ts";
import { type Results, type SizeResults, toolNames } from "../results.ts";
import { cells, headings } from "./cells.ts";
import { goals } from "./goals.ts";
import { slopes } from "./slopes.ts";

/** A table with what stands above it, for whatever prints it. */
export interface Titled {
  readonly title: string;
  readonly rows: readonly (readonly string[])[];
}

/** Everything that was measured, the goals and ratios first. */
export function tables(results: Results): Titled[] {
  const { sizes } = results;
  const reached = goals(sizes);
  const growth = slopes(sizes);
  return [
    ...(reached.length === 0 ? [] : [goalTable(sizes)]),
    ...(growth.length === 0 ? [] : [slopeTable(sizes)]),
    ...sizes.flatMap((size) => [{ title: sizeTitle(size), rows: [headings, ...cells(size)] }, ...shardTable(size)]),
    ...(sizes.some((size) => size.checkpoints.length > 0) ? [checkpointTable(sizes)] : []),
  ];
}

function goalTable(sizes: readonly SizeResults[]): Titled {
  const rows = goals(sizes).map(({ target, measured, met }) => [target, measured, met ? "met" : "missed"]);
  return { title: "Goals, at 1,000 members", rows: [["goal", "measured", ""], ...rows] };
}

function slopeTable(sizes: readonly SizeResults[]): Titled {
  const steps = sizes.slice(1).map((size, index) => `${sizes[index]?.members} to ${size.members}`);
  const rows = slopes(sizes).map(({ operation, tool, milliseconds }) => [
    operation,
    toolNames[tool],
    ...milliseconds.map((each) => each.toFixed(0)),
  ]);
  return { title: "Milliseconds for each member more", rows: [["operation", "by", ...steps], ...rows] };
}

function shardTable({ members, sharded }: SizeResults): Titled[] {
  if (sharded === undefined) {
    return [];
  }
  const title = `${members} members over ${sharded.count} shards: pulumi for one shard, kubecamp up for all`;
  return [{ title, rows: [headings, ...cells(sharded)] }];
}

function sizeTitle({ members, objects, resources }: SizeResults): string {
  const count = new Intl.NumberFormat("en-GB").format;
  return `${count(members)} members: ${count(objects)} objects, ${count(resources)} resources in Pulumi's state`;
}

function checkpointTable(sizes: readonly SizeResults[]): Titled {
  const rows = sizes.flatMap(({ resources, checkpoints }) =>
    checkpoints.map(({ form, stateMiB, updated, created }) => [
      String(resources),
      form,
      stateMiB.toFixed(2),
      updated.seconds.toFixed(1),
      (updated.parts.cli?.writtenMiB ?? 0).toFixed(1),
      created === undefined ? "" : String(created.resources),
      created?.cost.seconds.toFixed(1) ?? "",
      created === undefined ? "" : (created.cost.parts.cli?.writtenMiB ?? 0).toFixed(1),
    ]),
  );
  const head = ["resources", "state", "MiB", "1 updated: s", "MiB written", "created", "s", "MiB written"];
  return { title: "What it costs to write the state down", rows: [head, ...rows] };
}

/** What the figures are of. */
export function circumstances({ date, machine, versions, plugins }: Results): string {
  const { cpus, memoryGiB } = machine;
  const { kubecamp, pulumi, kubernetes, node } = versions;
  const parts = `Kubernetes plugin: ${plugins.kubernetes}; language host: ${plugins.languageHost}`;
  return (
    `Measured on ${date} with kubecamp ${kubecamp}, Pulumi ${pulumi}, Kubernetes ${kubernetes} and Node ${node} ` +
    `(${parts}), on a machine with ${cpus} CPUs and ${memoryGiB} GiB of memory that also ran both clusters. ` +
    `CPU and memory were looked at every ${lookEvery} ms, so that the last moments of a process are not in them.`
  );
}
