import { type Display, type LeftOut, Measurements } from "./measurements.ts";
import type { Row } from "./results.ts";
import { entries } from "./scenario.ts";
import { Project, pulumiUp } from "./stage/project.ts";
import type { Stage } from "./stage/stage.ts";

/**
 * Most members for which a plain `pulumi up` creates everything: the cost of its checkpoints grows with the square of the
 * number of resources, and would exceed all others for a thousand members.
 */
export const mostByPulumi = 100;

/** Creates everything by a plain `pulumi up`. */
export async function creation(
  count: number,
  stage: Stage,
  leftOut: LeftOut,
  display: Display,
): Promise<readonly Row[]> {
  const project = new Project(stage);
  const measurements = new Measurements([stage], leftOut, display);
  await project.create();
  await project.setMembers(entries(count));
  await measurements.take("create", "pulumi", stage, pulumiUp);
  return measurements.rows;
}
