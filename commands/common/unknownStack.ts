import { nearest } from "../../config/model/nearest.ts";
import { Problem } from "./problem.ts";

/**
 * Refuses a stack without members on a cluster that has other stacks' members: the name is probably wrong. An empty
 * cluster is fine.
 * @throws Problem naming the stacks that the cluster has
 */
export function refuseUnknownStack(stack: string, others: readonly string[]): void {
  if (others.length > 0) {
    throw new Problem(`There are no members of stack '${stack}' on this cluster${nearest(stack, others) || "."}`, {
      why: `It has those of ${others.join(", ")}.`,
      remedy: "Name one of these with --stack.",
    });
  }
}
