import type { Cost } from "./measure/measured.ts";
import { type Operation, type Row, type Tool, toolNames } from "./results.ts";
import type { Stage } from "./stage/stage.ts";

/** Told what begins, and what it cost. */
export interface Display {
  readonly begins: (title: string) => void;
  readonly ended: (cost: Cost) => void;
}

const programs: Readonly<Record<Tool, string>> = {
  pulumi: "pulumi",
  quick: "pulumi",
  kubecamp: "node",
  kubecampQuick: "node",
  kubectl: "kubectl",
};

/** Measures one operation after the other, each once all clusters are at rest. */
export class Measurements {
  readonly rows: Row[] = [];
  readonly #stages: readonly Stage[];
  readonly #skipped: ReadonlySet<Operation>;
  readonly #display: Display;

  /** @param stages all clusters that run */
  constructor(stages: readonly Stage[], skipped: ReadonlySet<Operation>, display: Display) {
    this.#stages = stages;
    this.#skipped = skipped;
    this.#display = display;
  }

  async take(operation: Operation, tool: Tool, stage: Stage, args: readonly string[], env = {}): Promise<void> {
    if (this.#skipped.has(operation)) return;
    await Promise.all(this.#stages.map(({ rest }) => rest()));
    this.#display.begins(`${operation}, ${toolNames[tool]}`);
    const cost = await stage.measured(programs[tool], args, {
      env: tool === "quick" ? { ...stage.quick, ...env } : env,
    });
    this.#display.ended(cost);
    this.rows.push({ operation, tool, cost });
  }
}
