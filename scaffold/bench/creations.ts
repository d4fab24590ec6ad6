import { type Display, type LeftOut, Measurements } from "./measurements.ts";
import type { Row, Tool } from "./results.ts";
import { entries } from "./scenario.ts";
import { Project, pulumiArguments } from "./stage/project.ts";
import type { Stage } from "./stage/stage.ts";

/**
 * Up to so many members everything is also made and deleted with checkpoints: their cost grows with the square of what
 * there is, and with a thousand would take longer than everything else.
 */
const mostWithCheckpoints = 100;

/** Tools with which everything is made once more, each on a cluster of its own. */
export function creators(count: number, { tools }: LeftOut): Tool[] {
  const all: readonly Tool[] = count <= mostWithCheckpoints ? ["quick", "pulumi"] : ["quick"];
  return all.filter((tool) => !tools.has(tool));
}

/** Makes everything by plain `pulumi up`, and with checkpoints deletes it again. */
export async function creation(
  count: number,
  tool: Tool,
  stage: Stage,
  leftOut: LeftOut,
  display: Display,
): Promise<readonly Row[]> {
  const project = new Project(stage);
  const measurements = new Measurements([stage], leftOut, display);
  await project.create();
  await project.setMembers(entries(count));
  await measurements.take("create", tool, stage, pulumiArguments("up", "--yes", "--skip-preview"));
  if (tool === "pulumi") {
    await measurements.take("destroy", tool, stage, pulumiArguments("destroy", "--yes", "--skip-preview"));
  }
  return measurements.rows;
}
