import type { Cost } from "./measure/measured.ts";
import { type Operation, type Row, type Tool, toolNames } from "./results.ts";
import type { Stage } from "./stage/stage.ts";

/** Shows the beginning and the cost of each measurement. */
export interface Display {
  readonly begins: (title: string) => void;
  readonly ended: (cost: Cost) => void;
}

const programs: Readonly<Record<Tool, string>> = {
  pulumi: "pulumi",
  kubecamp: "node",
  kubectl: "kubectl",
  helm: "helm",
};

/** Operations and tools to leave out. */
export interface LeftOut {
  readonly operations: ReadonlySet<Operation>;
  readonly tools: ReadonlySet<Tool>;
}

/** Measures one operation at a time, each when all clusters are at rest. */
export class Measurements {
  readonly rows: Row[] = [];
  readonly #stages: readonly Stage[];
  readonly #leftOut: LeftOut;
  readonly #display: Display;

  /** @param stages all running clusters */
  constructor(stages: readonly Stage[], leftOut: LeftOut, display: Display) {
    this.#stages = stages;
    this.#leftOut = leftOut;
    this.#display = display;
  }

  takes(operation: Operation, tool: Tool): boolean {
    return !this.#leftOut.operations.has(operation) && !this.#leftOut.tools.has(tool);
  }

  async take(operation: Operation, tool: Tool, stage: Stage, args: readonly string[]): Promise<void> {
    if (!this.takes(operation, tool)) {
      return;
    }
    await Promise.all(this.#stages.map(({ rest }) => rest()));
    this.#display.begins(`${operation}, ${toolNames[tool]}`);
    const cost = await stage.measured(programs[tool], args);
    this.#display.ended(cost);
    this.rows.push({ operation, tool, cost });
  }
}
