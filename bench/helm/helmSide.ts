import { Interrupted, Problem } from "../../commands/common/problem.ts";
import type { Measurements } from "../measurements.ts";
import type { Operation, ReleaseResults } from "../results.ts";
import type { ObjectList } from "../stage/objects.ts";
import type { Stage } from "../stage/stage.ts";
import type { Release } from "./release.ts";

/** A cluster for Helm, and the release on it. */
export interface HelmStage {
  readonly stage: Stage;
  readonly release: Pick<Release, "upgrade" | "set" | "size">;
}

/** Helm's part of a journey. If it fails, the other tools go on: a failure with many members is a result too. */
export class HelmSide {
  readonly #helm: HelmStage | undefined;
  readonly #measurements: Measurements;
  #results: ReleaseResults = {};

  /** @param helm undefined if Helm is left out */
  constructor(helm: HelmStage | undefined, measurements: Measurements) {
    this.#helm = helm;
    this.#measurements = measurements;
  }

  /** Undefined if Helm is left out. */
  get results(): ReleaseResults | undefined {
    return this.#helm && this.#results;
  }

  async bringUp(operation: Operation, objects: ObjectList): Promise<void> {
    await this.#take(operation, objects, []);
  }

  /** Helm's closest equivalent of a preview: it checks everything but shows no differences. */
  async dryRun(operation: Operation): Promise<void> {
    await this.#take(operation, undefined, ["--dry-run=server"]);
  }

  async #take(operation: Operation, objects: ObjectList | undefined, flags: readonly string[]): Promise<void> {
    if (this.#helm === undefined || this.#results.failure !== undefined) {
      return;
    }
    const { stage, release } = this.#helm;
    if (!this.#measurements.takes(operation, "helm")) {
      return;
    }
    if (objects !== undefined) {
      await release.set(objects);
    }
    try {
      await this.#measurements.take(operation, "helm", stage, [...release.upgrade, ...flags]);
    } catch (error) {
      if (error instanceof Interrupted || !(error instanceof Problem)) {
        throw error;
      }
      const words = error.why.split("\n").at(-1) ?? "";
      this.#results = { ...this.#results, failure: { operation, words } };
      return;
    }
    this.#results = { ...this.#results, bytes: Math.max(this.#results.bytes ?? 0, await release.size()) };
  }
}
