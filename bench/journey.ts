import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { HelmSide, type HelmStage } from "./helm/helmSide.ts";
import { type Display, type LeftOut, Measurements } from "./measurements.ts";
import type { Operation, SizeResults, Tool } from "./results.ts";
import { entries, serviceOf, withLimit } from "./scenario.ts";
import { type ObjectList, objectsOf } from "./stage/objects.ts";
import { kubecampPreview, kubecampUp, Project, pulumiPreview, pulumiUp } from "./stage/project.ts";
import type { Stage } from "./stage/stage.ts";

/** Empty clusters: one each for kubecamp with Pulumi, kubectl and, unless left out, Helm. */
interface Stages {
  readonly pulumi: Stage;
  readonly kubectl: Stage;
  readonly helm?: HelmStage;
}

/** Number of members who join together: some hundred objects. */
const dozen = 12;

/** Measures all operations for one number of members. The tools take turns, so that other load affects all alike. */
export async function journey(count: number, stages: Stages, leftOut: LeftOut, display: Display): Promise<SizeResults> {
  const { pulumi, kubectl } = stages;
  const clusters = [pulumi, kubectl, ...(stages.helm === undefined ? [] : [stages.helm.stage])];
  const project = new Project(pulumi);
  const objectsFile = join(kubectl.context.cwd, "objects.json");
  const apply = ["apply", "--server-side", "--filename", objectsFile];
  const diff = ["diff", "--server-side", "--filename", objectsFile];
  const everybody = entries(count);
  const skips = (operation: Operation) => leftOut.operations.has(operation);

  const measurements = new Measurements(clusters, leftOut, display);
  const helm = new HelmSide(stages.helm, measurements);
  const measure = (operation: Operation, tool: Tool, args: readonly string[]) =>
    measurements.take(operation, tool, tool === "kubectl" ? kubectl : pulumi, args);
  /** Writes the objects that the program declares now, for the other tools. */
  const exported = async (): Promise<ObjectList> => {
    const objects = objectsOf(await project.state());
    await writeFile(objectsFile, JSON.stringify(objects));
    return objects;
  };

  await project.create();
  // Fills Node's compile cache and the disk cache, so that no measured run has to.
  await pulumi.run("node", kubecampPreview);
  await pulumi.run("pulumi", pulumiPreview);

  await project.setMembers(everybody);
  await measure("create", "kubecamp", kubecampUp);
  await helm.bringUp("create", await exported());
  await measure("create", "kubectl", apply);
  if (!skips("open routes")) {
    await Promise.all(clusters.map(({ make }) => make(everybody.map(serviceOf))));
  }
  await measure("open routes", "kubecamp", kubecampUp);
  const open = await exported();
  const counts = { objects: open.items.length, resources: await project.size() };
  await measure("open routes", "kubectl", apply);
  await helm.bringUp("open routes", open);

  await measure("unchanged preview", "pulumi", pulumiPreview);
  await measure("unchanged preview", "kubecamp", kubecampPreview);
  await measure("unchanged preview", "kubectl", diff);
  await helm.dryRun("unchanged preview");
  await measure("unchanged up", "pulumi", pulumiUp);
  await measure("unchanged up", "kubecamp", kubecampUp);
  await measure("unchanged up", "kubectl", apply);
  await helm.bringUp("unchanged up", open);

  let here = everybody;
  if (!skips("one limit changed")) {
    await project.setMembers(withLimit(everybody, 700));
    await measure("one limit changed", "pulumi", pulumiUp);
    here = withLimit(everybody, 800);
    await project.setMembers(here);
    await measure("one limit changed", "kubecamp", kubecampUp);
    const limited = await exported();
    await measure("one limit changed", "kubectl", apply);
    await helm.bringUp("one limit changed", limited);
  }

  if (!skips("one member added")) {
    const more = [...here, ...entries(1, "newcomer")];
    await project.setMembers(more);
    await measure("one member added", "kubecamp", kubecampUp);
    const joined = await exported();
    await measure("one member added", "kubectl", apply);
    await helm.bringUp("one member added", joined);
    await project.setMembers(here);
    await measure("one member removed", "kubecamp", kubecampUp);
    await helm.bringUp("one member removed", await exported());
    if (measurements.takes("one member added", "pulumi")) {
      await project.setMembers(more);
      await measure("one member added", "pulumi", pulumiUp);
      await project.setMembers(here);
      await measure("one member removed", "pulumi", pulumiUp);
    }
  }

  if (!skips("a dozen members added")) {
    await project.setMembers([...here, ...entries(dozen, "joiner")]);
    await measure("a dozen members added", "kubecamp", kubecampUp);
    const joined = await exported();
    await measure("a dozen members added", "kubectl", apply);
    await helm.bringUp("a dozen members added", joined);
  }
  return {
    members: count,
    ...counts,
    rows: measurements.rows,
    ...(helm.results === undefined ? {} : { release: helm.results }),
  };
}
