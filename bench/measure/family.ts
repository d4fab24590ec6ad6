import { type Part, partOf } from "./parts.ts";
import { type ProcessSample, parentOf, processIds, sampleOf } from "./procfs.ts";

/** What the processes of one part cost together. */
export interface PartCost {
  readonly cpuSeconds: number;
  /** Sum of each one's peak, which they need not have had at the same moment. */
  readonly peakMiB: number;
  readonly writtenMiB: number;
}

export type PartCosts = Readonly<Partial<Record<Part, PartCost>>>;

/** A process with all that it has started, and that these have. */
export class Family {
  /** As last seen: what one did after that, until it ended, is lost. */
  readonly #members = new Map<number, ProcessSample | undefined>();
  readonly #strangers = new Set<number>();

  constructor(root: number) {
    this.#members.set(root, undefined);
  }

  /** Looks at them all. */
  look(): void {
    // Parents have lower ids than their children, unless ids have begun anew; then the next look finds them.
    for (const pid of processIds().sort((a, b) => a - b)) {
      if (!this.#members.has(pid) && !this.#strangers.has(pid)) {
        this.#introduce(pid);
      }
      if (this.#members.has(pid)) {
        const sample = sampleOf(pid);
        // One that has ended, and was not collected yet, has neither arguments nor memory.
        if (sample !== undefined && sample.peakMiB > 0) {
          this.#members.set(pid, sample);
        }
      }
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

  /** What each part has cost so far. */
  costs(): PartCosts {
    const costs: Partial<Record<Part, PartCost>> = {};
    for (const sample of this.#members.values()) {
      if (sample !== undefined) {
        const part = partOf(sample.command);
        costs[part] = sum(costs[part], sample);
      }
    }
    return costs;
  }
}

function sum(before: PartCost | undefined, { cpuSeconds, peakMiB, writtenMiB }: PartCost): PartCost {
  return {
    cpuSeconds: (before?.cpuSeconds ?? 0) + cpuSeconds,
    peakMiB: (before?.peakMiB ?? 0) + peakMiB,
    writtenMiB: (before?.writtenMiB ?? 0) + writtenMiB,
  };
}
