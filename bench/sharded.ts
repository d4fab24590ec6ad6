import { type Display, type LeftOut, Measurements } from "./measurements.ts";
import type { ShardedResults } from "./results.ts";
import { entries, serviceOf } from "./scenario.ts";
import { kubecampUp, Project } from "./stage/project.ts";
import type { Stage } from "./stage/stage.ts";

/** Measures the same members with their list split over several stacks. */
export async function sharded(
  members: number,
  count: number,
  stage: Stage,
  leftOut: LeftOut,
  display: Display,
): Promise<ShardedResults> {
  const project = new Project(stage);
  const measurements = new Measurements([stage], leftOut, display);
  const everybody = entries(members);

  await project.create(count);
  await project.setMembers(everybody);
  await measurements.take("create", "kubecamp", stage, kubecampUp);
  if (measurements.takes("open routes", "kubecamp")) {
    await stage.make(everybody.map(serviceOf));
  }
  await measurements.take("open routes", "kubecamp", stage, kubecampUp);
  await measurements.take("unchanged up", "kubecamp", stage, kubecampUp);
  await project.setMembers([...everybody, ...entries(1, "newcomer")]);
  await measurements.take("one member added", "kubecamp", stage, kubecampUp);
  return { count, rows: measurements.rows };
}
