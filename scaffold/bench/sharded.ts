import { shardNames, shardOf } from "../../config/rules/shards.ts";
import { type Display, type LeftOut, Measurements } from "./measurements.ts";
import type { ShardedResults } from "./results.ts";
import { entries, serviceOf } from "./scenario.ts";
import { kubecamp, Project, pulumiArguments, stack } from "./stage/project.ts";
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
  const up = kubecamp("up", "--stack", stack);
  const everybody = entries(members);
  const [first, second] = [entries(1, "newcomer"), entries(1, "latecomer")];

  await project.create(count);
  await project.setMembers(everybody);
  await measurements.take("create", "kubecamp", stage, up);
  if (measurements.takes("open routes", "kubecamp")) {
    await stage.make(everybody.map(serviceOf));
  }
  await measurements.take("open routes", "kubecamp", stage, up);
  await measurements.take("unchanged up", "kubecamp", stage, up);

  let here = everybody;
  if (measurements.takes("one member added", "pulumi")) {
    here = [...here, ...first];
    await project.setMembers(here);
    const shard = shardNames({ family: stack, count })[shardOf("newcomer-0", count)] ?? stack;
    const ofShard = pulumiArguments("up", "--yes", "--skip-preview").map((word) => (word === stack ? shard : word));
    await measurements.take("one member added", "pulumi", stage, ofShard);
  }
  await project.setMembers([...here, ...second]);
  await measurements.take("one member added", "kubecamp", stage, up);
  return { count, rows: measurements.rows };
}
