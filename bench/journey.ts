import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Cost } from "./measure/measured.ts";
import { quiet } from "./measure/quiet.ts";
import type { Operation, Row, SizeResults, Tool } from "./results.ts";
import { type Entry, entries, serviceOf, withLimit } from "./scenario.ts";
import { objectsOf } from "./stage/objects.ts";
import { Project, pulumiArguments } from "./stage/project.ts";
import type { Stage } from "./stage/stage.ts";

/** Two clusters that have nothing yet: one for Pulumi, and one for kubectl. */
export interface Stages {
  readonly pulumi: Stage;
  readonly kubectl: Stage;
}

/** Told what begins, and what it cost. */
export interface Display {
  readonly begins: (tool: Tool, operation: Operation) => void;
  readonly ended: (cost: Cost) => void;
}

const up = pulumiArguments("up", "--yes", "--skip-preview");

/**
 * Everything that is measured with one number of members. Pulumi and kubectl take turns, so that what else the machine
 * does hits both alike.
 */
export async function journey(
  count: number,
  { pulumi, kubectl }: Stages,
  skipped: ReadonlySet<Operation>,
  display: Display,
): Promise<SizeResults> {
  const rows: Row[] = [];
  const project = new Project(pulumi.context);
  const objectsFile = join(kubectl.context.cwd, "objects.json");
  const apply = ["apply", "--server-side", "--filename", objectsFile];
  const diff = ["diff", "--server-side", "--filename", objectsFile];
  const everybody = entries(count);

  const measure = async (operation: Operation, tool: Tool, args: readonly string[]) => {
    const stage = tool === "pulumi" ? pulumi : kubectl;
    if (skipped.has(operation)) return;
    await Promise.all([pulumi, kubectl].map(({ folder, context }) => quiet(folder, context.signal)));
    display.begins(tool, operation);
    const cost = await stage.measured(tool, args);
    display.ended(cost);
    rows.push({ operation, tool, cost });
  };
  /** kubectl gets what the program declares by now. */
  const exported = async () => {
    const state = await project.state();
    const objects = objectsOf(state);
    await writeFile(objectsFile, JSON.stringify(objects));
    return { objects: objects.items.length, resources: state.deployment.resources?.length ?? 0 };
  };
  const changed = async (operation: Operation, list: readonly Entry[]) => {
    await project.setMembers(list);
    await measure(operation, "pulumi", up);
  };

  await project.create();
  // What Node compiles and the disk remembers the first time, no later run has to wait for.
  await pulumi.measured("pulumi", pulumiArguments("preview"));

  await changed("create", everybody);
  await exported();
  await measure("create", "kubectl", apply);
  await Promise.all([pulumi, kubectl].map(({ make }) => make(everybody.map(serviceOf))));

  await measure("open routes", "pulumi", up);
  const counts = await exported();
  await measure("open routes", "kubectl", apply);

  await measure("unchanged preview", "pulumi", pulumiArguments("preview"));
  await measure("unchanged preview", "kubectl", diff);
  await measure("unchanged up", "pulumi", up);
  await measure("unchanged up", "kubectl", apply);

  await changed("one limit changed", withLimit(everybody, 700));
  await exported();
  await measure("one limit changed", "kubectl", apply);

  await changed("one member added", [...withLimit(everybody, 700), ...entries(1, "newcomer")]);
  await exported();
  await measure("one member added", "kubectl", apply);

  await changed("one member removed", withLimit(everybody, 700));
  await measure("refresh", "pulumi", pulumiArguments("refresh", "--yes", "--skip-preview"));
  await measure("destroy", "pulumi", pulumiArguments("destroy", "--yes", "--skip-preview"));
  return { members: count, ...counts, rows };
}
