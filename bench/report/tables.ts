import { table } from "../../commands/common/table.ts";
import { mostBytes } from "../helm/release.ts";
import { lookEvery } from "../measure/measured.ts";
import type { Results, SizeResults } from "../results.ts";
import { cells, headings, type Titled } from "./cells.ts";
import { digest } from "./digest.ts";
import { goals } from "./goals.ts";

/** All results as text for a terminal: a summary and goals, figures, then Helm's release. */
export function textOf(results: Results): string {
  const { sizes } = results;
  const parts = around(sizes, figureTables(sizes)).map(({ title, rows }) => `${title}\n\n${table(rows)}`);
  return [...parts, circumstances(results)].join("\n\n");
}

/** The same without figures: those are in a file of their own. */
export const pageTables = ({ sizes }: Results): Titled[] => around(sizes, []);

function around(sizes: readonly SizeResults[], figures: readonly Titled[]): Titled[] {
  return [
    ...digest(sizes),
    ...(goals(sizes).length === 0 ? [] : [goalTable(sizes)]),
    ...figures,
    ...(sizes.some(({ release }) => release !== undefined) ? [releaseTable(sizes)] : []),
  ];
}

function figureTables(sizes: readonly SizeResults[]): Titled[] {
  return sizes.flatMap((size) => [
    { title: sizeTitle(size), rows: [headings(size), ...cells(size)] },
    ...shardTable(size),
  ]);
}

function goalTable(sizes: readonly SizeResults[]): Titled {
  const rows = goals(sizes).map(({ target, measured, met }) => [target, measured, met ? "met" : "missed"]);
  return { title: "Goals", rows: [["goal", "measured", ""], ...rows] };
}

function shardTable(size: SizeResults): Titled[] {
  const { members, sharded } = size;
  if (sharded === undefined) {
    return [];
  }
  const title = `${members} members over ${sharded.count} shards`;
  return [{ title, rows: [headings(sharded), ...cells(sharded, size)] }];
}

function releaseTable(sizes: readonly SizeResults[]): Titled {
  const rows = sizes.flatMap(({ members, release }) => {
    if (release === undefined) {
      return [];
    }
    const { bytes, failure } = release;
    return [
      [
        String(members),
        bytes === undefined ? "" : (bytes / 1024).toFixed(0),
        bytes === undefined ? "" : `${((100 * bytes) / mostBytes).toFixed(0)} %`,
        failure === undefined ? "" : `'${failure.operation}' failed: ${failure.words}`,
      ],
    ];
  });
  return { title: "Helm's release, in one Secret", rows: [["members", "KiB", "of 1 MiB", ""], ...rows] };
}

function sizeTitle({ members, objects, resources }: SizeResults): string {
  const count = new Intl.NumberFormat("en-GB").format;
  return `${count(members)} members: ${count(objects)} objects, ${count(resources)} resources in Pulumi's state`;
}

/** Date, versions and machine of the measurement. */
export function circumstances({ date, machine, versions, plugins }: Results): string {
  const { cpus, memoryGiB } = machine;
  const { kubecamp, pulumi, kubernetes, node } = versions;
  const parts = `Kubernetes plugin: ${plugins.kubernetes}; language host: ${plugins.languageHost}`;
  return (
    `Measured on ${date} with kubecamp ${kubecamp}, Pulumi ${pulumi}, Kubernetes ${kubernetes} and Node ${node} ` +
    `(${parts}), on a machine with ${cpus} CPUs and ${memoryGiB} GiB of memory that also ran the clusters. ` +
    `CPU and memory are sampled every ${lookEvery} ms, so a process's last moments are missing.`
  );
}
