import { type Part, partOf } from "./parts.ts";
import { type ProcessSample, parentOf, processIds, sampleOf } from "./procfs.ts";

/** Cost of the processes of one part together. */
interface PartCost {
  readonly cpuSeconds: number;
  /** Maximum over time of the sum of the running processes' peaks so far. */
  readonly peakMiB: number;
}

export type PartCosts = Readonly<Partial<Record<Part, PartCost>>>;

/** A process with all its descendants. */
export class Family {
  /** Last samples: the costs between the last sample and the end of a process are lost. */
  readonly #members = new Map<number, ProcessSample | undefined>();
  readonly #strangers = new Set<number>();
  readonly #peaks = new Map<Part, number>();
  #peakMiB = 0;

  constructor(root: number) {
    this.#members.set(root, undefined);
  }

  /** Samples all processes. */
  look(): void {
    const now = new Map<Part, number>();
    // Parents have lower ids than their children, except after ids have wrapped around: those processes are missed.
    for (const pid of processIds().sort((a, b) => a - b)) {
      if (!this.#members.has(pid) && !this.#strangers.has(pid)) {
        this.#introduce(pid);
      }
      const sample = this.#members.has(pid) ? sampleOf(pid) : undefined;
      // A process that has ended and was not collected yet has neither arguments nor memory.
      if (sample !== undefined && sample.peakMiB > 0) {
        this.#members.set(pid, sample);
        const part = partOf(sample.command);
        now.set(part, (now.get(part) ?? 0) + sample.peakMiB);
      }
    }
    this.#peakMiB = Math.max(
      this.#peakMiB,
      [...now.values()].reduce((sum, memory) => sum + memory, 0),
    );
    for (const [part, memory] of now) {
      this.#peaks.set(part, Math.max(memory, this.#peaks.get(part) ?? 0));
    }
  }

  #introduce(pid: number): void {
    const parent = parentOf(pid);
    if (parent !== undefined && this.#members.has(parent)) {
      this.#members.set(pid, undefined);
    } else {
      this.#strangers.add(pid);
    }
  }

  /** Like a part's, of all processes. */
  get peakMiB(): number {
    return this.#peakMiB;
  }

  /** Each part's cost so far. */
  costs(): PartCosts {
    const samples = [...this.#members.values()].filter((sample) => sample !== undefined);
    const parts = Map.groupBy(samples, ({ command }) => partOf(command));
    const costs = [...parts].map(([part, ofPart]): [Part, PartCost] => {
      const cpuSeconds = ofPart.reduce((total, sample) => total + sample.cpuSeconds, 0);
      return [part, { cpuSeconds, peakMiB: this.#peaks.get(part) ?? 0 }];
    });
    return Object.fromEntries(costs);
  }
}
