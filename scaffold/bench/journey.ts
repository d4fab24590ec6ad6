import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checkpoints } from "./checkpoints.ts";
import { HelmSide, type HelmStage } from "./helm/helmSide.ts";
import { type Display, type LeftOut, Measurements } from "./measurements.ts";
import type { Operation, SizeResults, Tool } from "./results.ts";
import { entries, serviceOf, withLimit } from "./scenario.ts";
import { type ObjectList, objectsOf, withoutMembers } from "./stage/objects.ts";
import { kubecamp, Project, pulumiArguments, stack } from "./stage/project.ts";
import type { Stage } from "./stage/stage.ts";

/** Empty clusters: one each for Pulumi, kubectl and, unless left out, Helm. */
interface Stages {
  readonly pulumi: Stage;
  readonly kubectl: Stage;
  readonly helm?: HelmStage;
}

const kubecampUp = kubecamp("up", "--stack", stack);
const up = pulumiArguments("up", "--yes", "--skip-preview");
const preview = pulumiArguments("preview");
const destroy = pulumiArguments("destroy", "--yes", "--skip-preview");

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
  // A change that is left out must not be applied by the next operation instead.
  const tuned = skips("one limit changed") ? everybody : withLimit(everybody, 800);

  const measurements = new Measurements(clusters, leftOut, display);
  const helm = new HelmSide(stages.helm, measurements);
  const measure = (operation: Operation, tool: Tool, args: readonly string[]) =>
    measurements.take(operation, tool, tool === "kubectl" ? kubectl : pulumi, args);
  /** Writes the objects that the program declares now, without those of some members, for the other tools. */
  const exported = async (besides: Parameters<typeof withoutMembers>[1] = []): Promise<ObjectList> => {
    const objects = withoutMembers(objectsOf(await project.state()), besides);
    await writeFile(objectsFile, JSON.stringify(objects));
    return objects;
  };

  await project.create();
  // Fills Node's compile cache and the disk cache, so that no measured run has to.
  await pulumi.measured("pulumi", preview);

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

  await measure("unchanged preview", "pulumi", preview);
  await measure("unchanged preview", "kubecamp", kubecamp("preview", "--stack", stack));
  await measure("unchanged preview", "quick", preview);
  await measure("unchanged preview", "kubectl", diff);
  await helm.dryRun("unchanged preview");
  await measure("unchanged up", "pulumi", up);
  await measure("unchanged up", "kubecamp", kubecampUp);
  await measure("unchanged up", "quick", up);
  await measure("unchanged up", "kubectl", apply);
  await helm.bringUp("unchanged up", open);

  if (!skips("one limit changed")) {
    await project.setMembers(withLimit(everybody, 700));
    await measure("one limit changed", "pulumi", up);
    await project.setMembers(tuned);
    await measure("one limit changed", "kubecamp", kubecampUp);
    const limited = await exported();
    await measure("one limit changed", "kubectl", apply);
    await helm.bringUp("one limit changed", limited);
  }

  let here = tuned;
  /** Adds a member, unless this tool is left out: then the next tool would find two new members. */
  const joined = async (tool: Tool, name: string, args: readonly string[]) => {
    if (!measurements.takes("one member added", tool)) return;
    here = [...here, ...entries(1, name)];
    await project.setMembers(here);
    await measure("one member added", tool, args);
  };
  /** Removes the member who joined last, if any did. */
  const left = async (tool: Tool, args: readonly string[]) => {
    if (!measurements.takes("one member removed", tool) || here.length === tuned.length) return;
    here = here.slice(0, -1);
    await project.setMembers(here);
    await measure("one member removed", tool, args);
  };
  const newcomer = entries(1, "newcomer");
  await joined("kubecamp", "newcomer", kubecampUp);
  if (here.length > tuned.length) {
    const withNewcomer = await exported();
    await measure("one member added", "kubectl", apply);
    await helm.bringUp("one member added", withNewcomer);
    await helm.bringUp("one member removed", withoutMembers(withNewcomer, newcomer));
  }
  await joined("pulumi", "latecomer", up);
  await left("kubecamp", kubecampUp);
  await left("pulumi", up);

  if (!skips("a dozen members added")) {
    const joiners = entries(dozen, "joiner");
    await project.setMembers([...here, ...joiners]);
    await measure("a dozen members added", "kubecamp", kubecampUp);
    // On the other clusters, only the newcomer has joined.
    const withDozen = await exported(here.slice(tuned.length).filter(({ member }) => member !== newcomer[0]?.member));
    await measure("a dozen members added", "kubectl", apply);
    const gone = measurements.takes("one member removed", "helm") ? newcomer : [];
    await helm.bringUp("a dozen members added", withoutMembers(withDozen, gone));
    if (!skips("checkpoints")) await project.destroyMembers(joiners);
  }
  await measure("refresh", "pulumi", pulumiArguments("refresh", "--yes", "--skip-preview"));
  const ofState = skips("checkpoints") ? [] : await checkpoints(tuned, pulumi, project, display);
  await measure("destroy", "quick", destroy);
  return {
    members: count,
    ...counts,
    rows: measurements.rows,
    checkpoints: ofState,
    ...(helm.results === undefined ? {} : { release: helm.results }),
  };
}
