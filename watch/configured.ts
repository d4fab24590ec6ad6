import { isDeepStrictEqual } from "node:util";
import type { Logger } from "pino";
import { messageOf, withoutRunning } from "../cluster/api/errors.ts";
import type { Configuration } from "../config/settings.ts";
import { UnreadConfiguration, UnreadLeavers } from "../runs/selectedStack.ts";
import type { StackSources } from "./stackSources.ts";
import type { Metrics } from "./telemetry/metrics.ts";

interface ConfiguredParts {
  readonly sources: Pick<StackSources, "configuration" | "kept">;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
  readonly today: () => string;
}

/** Milliseconds until a configuration with mistakes, or whose leavers the cluster did not name, is read again. */
const retry = 30_000;

const wayOn =
  "The watch goes on with the last configuration without mistakes, and takes this one by itself once it is corrected.";

/** The configuration in force, which is the last one without mistakes, and the mistakes of the present one. */
export class Configured {
  readonly #parts: ConfiguredParts;
  #inForce: Configuration | undefined;
  #mistakes: string | undefined;
  /** Reason why the present files could not be taken, through no fault of theirs. */
  #unread: string | undefined;
  #day = "";
  #readAt = Number.NEGATIVE_INFINITY;
  #stale = true;

  constructor(parts: ConfiguredParts) {
    this.#parts = parts;
  }

  get inForce(): Configuration | undefined {
    return this.#inForce;
  }

  get mistakes(): string | undefined {
    return this.#mistakes;
  }

  /** Why the present files are not in force. */
  get trouble(): string | undefined {
    return this.#mistakes ?? this.#unread;
  }

  expire(): void {
    this.#stale = true;
  }

  /** Whether to read it again: it may have changed, has mistakes, or is from another day, on which other members expire. */
  get isStale(): boolean {
    const { now, today } = this.#parts;
    return this.#stale || this.#day !== today() || (this.trouble !== undefined && now() >= this.#readAt + retry);
  }

  /**
   * Reads the configuration again.
   * @param stop aborted: reading was ended, and not being read is no trouble
   * @returns `nothing` if there is nothing to bring up; otherwise bring up everything, and after `settings` watch anew too
   * @throws its mistakes, if none without was read yet
   */
  async read(stop: AbortSignal): Promise<"nothing" | "mended" | "settings"> {
    const { sources, log, metrics, now, today } = this.#parts;
    this.#stale = false;
    // Reading it decides which members are expired.
    this.#day = today();
    try {
      const read = await sources.configuration();
      const mended = this.#mistakes !== undefined;
      this.#mistakes = undefined;
      this.#unread = undefined;
      metrics.configValid.set(1);
      if (this.#isNew(read, mended)) {
        return "settings";
      }
      return mended ? "mended" : "nothing";
    } catch (error) {
      if (error instanceof UnreadConfiguration) {
        if (stop.aborted) {
          return "nothing";
        }
        if (this.#unread !== error.message) {
          log.warn({ action: "configuration not read", reason: error.message }, "what was in force stays so");
        }
        this.#unread = error.message;
        // The observer, which tells of the cluster later, follows what is in force.
        if (error instanceof UnreadLeavers && this.#inForce === undefined) {
          metrics.clusterConnected.set(0);
        }
      } else {
        this.#unread = undefined;
        this.#refuse(error);
      }
      // On another day, others are expired. What can't be read either stays as it is.
      const kept = this.#inForce && (await sources.kept().catch(() => undefined));
      return kept !== undefined && this.#isNew(kept) ? "settings" : "nothing";
    } finally {
      // The end: a cluster that does not answer takes longer than the pause.
      this.#readAt = now();
    }
  }

  /** Takes a configuration. @returns whether it differs from the one that was in force */
  #isNew(read: Configuration, mended = false): boolean {
    const isNew = !isDeepStrictEqual(this.#inForce, read);
    if (mended || isNew) {
      const action = mended ? "configuration mended" : "configuration read";
      this.#parts.log.info({ action, members: read.members.length }, `${action}: a full up follows`);
    }
    this.#inForce = read;
    return isNew;
  }

  /** @throws the mistakes, if there is none without */
  #refuse(error: unknown): void {
    const { log, metrics } = this.#parts;
    if (this.#inForce === undefined) {
      throw error;
    }
    const mistakes = `${withoutRunning(messageOf(error))}\n${wayOn}`;
    if (mistakes !== this.#mistakes) {
      log.error({ action: "configuration refused", reason: mistakes }, "the last one without mistakes stays in force");
    }
    this.#mistakes = mistakes;
    metrics.configValid.set(0);
  }
}
