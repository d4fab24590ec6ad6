import { readFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { utcDay } from "../config/values/days.ts";
import { repository } from "../sandbox/paths.ts";
import { catalogue, type ToolName, type ToolPaths } from "../sandbox/tools/catalogue.ts";
import { versionIn } from "../sandbox/tools/versions.ts";
import type { Results } from "./results.ts";

/** Date, machine and versions of a measurement. */
export async function circumstancesOf(tools: ToolPaths): Promise<Pick<Results, "date" | "machine" | "versions">> {
  const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as { version: string };
  const [pulumi, kubernetes] = await Promise.all([versionOf("pulumi", tools), versionOf("kube-apiserver", tools)]);
  return {
    date: utcDay(),
    machine: { cpus: cpus().length, memoryGiB: Math.round(totalmem() / 2 ** 30) },
    versions: { kubecamp: version, pulumi, kubernetes, node: process.versions.node },
  };
}

/** A tool's own version: one on the PATH may be later than the sandbox's. */
async function versionOf(name: ToolName, tools: ToolPaths): Promise<string> {
  const args = catalogue.find((tool) => tool.name === name)?.versionArguments ?? [];
  const { stdout } = await execa(tools[name], [...args]);
  return versionIn(stdout) ?? "unknown";
}
