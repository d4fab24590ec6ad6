import { costOf, type Operation, operations, type SizeResults, type Tool, tools } from "../results.ts";

/** Cost of a further member. */
interface Slope {
  readonly operation: Operation;
  readonly tool: Tool;
  /** Milliseconds for each further member, from each number of members to the next. */
  readonly milliseconds: readonly number[];
}

/** Slopes of everything that was measured at all numbers of members. */
export function slopes(sizes: readonly SizeResults[]): Slope[] {
  return operations.flatMap((operation) =>
    tools.flatMap((tool) => {
      const points = sizes.flatMap((size) => {
        const cost = costOf(size, operation, tool);
        return cost === undefined ? [] : [{ members: size.members, seconds: cost.seconds }];
      });
      if (points.length < sizes.length || points.length < 2) {
        return [];
      }
      const milliseconds = points.slice(1).map((point, index) => {
        const before = points[index] ?? point;
        return ((point.seconds - before.seconds) * 1000) / (point.members - before.members);
      });
      return [{ operation, tool, milliseconds }];
    }),
  );
}
