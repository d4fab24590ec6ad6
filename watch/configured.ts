import { isDeepStrictEqual } from "node:util";
import type { Logger } from "pino";
import { withoutRunning } from "../cluster/api/errors.ts";
import { messageOf } from "../cluster/api/message.ts";
import type { Configuration, Settings } from "../config/model/settings.ts";
import type { StackRunner } from "./stackRunner.ts";
import type { Metrics } from "./telemetry/metrics.ts";

/** What it takes to hold a configuration. */
export interface ConfiguredParts {
  readonly runner: Pick<StackRunner, "configuration">;
  /** Throws RunError when nobody knows which cluster is meant. */
  readonly findCluster: (settings: Settings) => void;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number;
  /** Such as `2026-12-31`, in UTC. */
  readonly today: () => string;
}

/** What has mistakes is read again after so many milliseconds: not all that it is made of need stand in files. */
const retry = 30_000;

const wayOn = "The watch takes it by itself once it is mended.";

/** The configuration in force: the last that was without mistakes, and whether the one that there is now still is. */
export class Configured {
  readonly #parts: ConfiguredParts;
  #inForce: Configuration | undefined;
  #mistakes: string | undefined;
  #day = "";
  #readAt = Number.NEGATIVE_INFINITY;
  #stale = true;

  constructor(parts: ConfiguredParts) {
    this.#parts = parts;
  }

  /** Undefined until there has been one. */
  get inForce(): Configuration | undefined {
    return this.#inForce;
  }

  /** All that is wrong with what the files say now. */
  get mistakes(): string | undefined {
    return this.#mistakes;
  }

  /** It is read anew at the next occasion. */
  expire(): void {
    this.#stale = true;
  }

  /** Whether it should be read anew: it may have changed, has mistakes, or is another day's, when others are expired. */
  get isStale(): boolean {
    const { now, today } = this.#parts;
    return this.#stale || this.#day !== today() || (this.#mistakes !== undefined && now() >= this.#readAt + retry);
  }

  /**
   * Reads it anew.
   * @returns what changed: all is to be brought up if the result is not `nothing`, and other things watched if it is `settings`
   * @throws what reading it throws, if there has been none without mistakes yet
   */
  async read(): Promise<"nothing" | "mended" | "settings"> {
    const { runner, findCluster, log, metrics, now, today } = this.#parts;
    this.#stale = false;
    // Who is expired is decided while it is read.
    this.#day = today();
    this.#readAt = now();
    try {
      const read = await runner.configuration();
      // A context that there is not is a mistake like any other.
      findCluster(read.settings);
      const mended = this.#mistakes !== undefined;
      const same = isDeepStrictEqual(this.#inForce, read);
      if (mended || !same) {
        const action = mended ? "configuration mended" : "configuration read";
        log.info({ action, members: read.members.length }, `${action}: all is brought up`);
      }
      this.#mistakes = undefined;
      this.#inForce = read;
      metrics.configValid.set(1);
      return same ? (mended ? "mended" : "nothing") : "settings";
    } catch (error) {
      if (this.#inForce === undefined) {
        throw error;
      }
      const reported = messageOf(error);
      const mistakes = `${withoutRunning(reported)}\n${wayOn}`;
      if (mistakes !== this.#mistakes) {
        log.error({ action: "configuration refused", reason: mistakes }, "no up is run until this is mended");
      }
      this.#mistakes = mistakes;
      metrics.configValid.set(0);
      return "nothing";
    }
  }
}
