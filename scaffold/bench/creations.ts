import { type Display, type LeftOut, Measurements } from "./measurements.ts";
import type { Row, Tool } from "./results.ts";
import { entries } from "./scenario.ts";
import { Project, pulumiArguments } from "./stage/project.ts";
import type { Stage } from "./stage/stage.ts";

/**
 * Most members for which creation and deletion are also measured with checkpoints: their cost grows with the square of the
 * number of resources, and would exceed all others for a thousand members.
 */
const mostWithCheckpoints = 100;

/** Tools with which everything is created again, each on a cluster of its own. */
export function creators(count: number, { tools }: LeftOut): Tool[] {
  const all: readonly Tool[] = count <= mostWithCheckpoints ? ["quick", "pulumi"] : ["quick"];
  return all.filter((tool) => !tools.has(tool));
}

/** Creates everything by plain `pulumi up`, and with checkpoints also deletes it. */
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
