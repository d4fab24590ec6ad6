import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checkpoints } from "./checkpoints.ts";
import { type Display, Measurements } from "./measurements.ts";
import type { Operation, SizeResults, Tool } from "./results.ts";
import { entries, serviceOf, withLimit } from "./scenario.ts";
import { objectsOf } from "./stage/objects.ts";
import { kubecamp, Project, pulumiArguments, stack } from "./stage/project.ts";
import type { Stage } from "./stage/stage.ts";

/** Two clusters that have nothing yet: one for Pulumi, and one for kubectl. */
export interface Stages {
  readonly pulumi: Stage;
  readonly kubectl: Stage;
}

/**
 * Up to so many members everything is also made and deleted with checkpoints: their cost grows with the square of what
 * there is, and with a thousand would take longer than everything else.
 */
const mostWithCheckpoints = 100;

const kubecampUp = kubecamp("up", "--stack", stack);
const up = pulumiArguments("up", "--yes", "--skip-preview");
const destroy = pulumiArguments("destroy", "--yes", "--skip-preview");

/**
 * Everything that is measured with one number of members. Pulumi and kubectl take turns, so that what else the machine
 * does hits both alike.
 */
export async function journey(
  count: number,
  stages: Stages,
  skipped: ReadonlySet<Operation>,
  display: Display,
): Promise<SizeResults> {
  const { pulumi, kubectl } = stages;
  const project = new Project(pulumi);
  const objectsFile = join(kubectl.context.cwd, "objects.json");
  const apply = ["apply", "--server-side", "--filename", objectsFile];
  const diff = ["diff", "--server-side", "--filename", objectsFile];
  const everybody = entries(count);
  // What is left out must not happen in the next operation instead.
  const tuned = skipped.has("one limit changed") ? everybody : withLimit(everybody, 800);

  const measurements = new Measurements([pulumi, kubectl], skipped, display);
  const measure = (operation: Operation, tool: Tool, args: readonly string[]) =>
    measurements.take(operation, tool, tool === "kubectl" ? kubectl : pulumi, args);
  /** kubectl gets what the program declares by now. */
  const exported = async () => {
    const state = await project.state();
    const objects = objectsOf(state);
    await writeFile(objectsFile, JSON.stringify(objects));
    return { objects: objects.items.length, resources: state.deployment.resources?.length ?? 0 };
  };

  await project.create();
  // What Node compiles and the disk remembers the first time, no later run has to wait for.
  await pulumi.measured("pulumi", pulumiArguments("preview"));

  await project.setMembers(everybody);
  await measure("create", "quick", up);
  await exported();
  await measure("create", "kubectl", apply);
  if (!skipped.has("open routes")) {
    await Promise.all([pulumi, kubectl].map(({ make }) => make(everybody.map(serviceOf))));
  }
  await measure("open routes", "quick", up);
  const counts = await exported();
  await measure("open routes", "kubectl", apply);

  await measure("unchanged preview", "pulumi", pulumiArguments("preview"));
  await measure("unchanged preview", "quick", pulumiArguments("preview"));
  await measure("unchanged preview", "kubectl", diff);
  await measure("unchanged up", "pulumi", up);
  await measure("unchanged up", "kubecamp", kubecampUp);
  await measure("unchanged up", "quick", up);
  await measure("unchanged up", "kubectl", apply);

  if (!skipped.has("one limit changed")) {
    await project.setMembers(withLimit(everybody, 700));
    await measure("one limit changed", "pulumi", up);
    await project.setMembers(tuned);
    await measure("one limit changed", "kubecamp", kubecampUp);
    await exported();
    await measure("one limit changed", "kubectl", apply);
  }

  const [first, second, third] = [entries(1, "newcomer"), entries(1, "latecomer"), entries(1, "straggler")];
  await project.setMembers([...tuned, ...first]);
  await measure("one member added", "pulumi", up);
  await project.setMembers([...tuned, ...first, ...second]);
  await measure("one member added", "kubecamp", kubecampUp);
  await project.setMembers([...tuned, ...first, ...second, ...third]);
  await measure("one member added", "kubecampQuick", [...kubecampUp, "--skip-checkpoints"]);

  if (!skipped.has("one member added")) {
    await project.setMembers([...tuned, ...first, ...second]);
    await measure("one member removed", "kubecamp", kubecampUp);
    await project.setMembers([...tuned, ...first]);
    await measure("one member removed", "pulumi", up);
  }
  await measure("refresh", "pulumi", pulumiArguments("refresh", "--yes", "--skip-preview"));
  const ofState = skipped.has("checkpoints") ? [] : await checkpoints(tuned, pulumi, project, display);
  await measure("destroy", "quick", destroy);
  if (count <= mostWithCheckpoints && !skipped.has("destroy")) {
    await project.setMembers(everybody);
    await measure("create", "pulumi", up);
    await measure("destroy", "pulumi", destroy);
  }
  return { members: count, ...counts, rows: measurements.rows, checkpoints: ofState };
}
