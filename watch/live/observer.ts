import type { Logger } from "pino";
import type { Configuration } from "../../config/settings.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { LeftOutError, type LiveCluster, type LiveEvents, type watchCluster } from "./liveCluster.ts";
import type { LiveSnapshot } from "./liveObjects.ts";

/** Number of connections in a row, cut before they brought anything, that is worth a line in the log. */
const tellingCuts = 5;

interface ObserverParts {
  readonly watchCluster: typeof watchCluster;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly onChange: () => void;
  /** Called when `snapshot` may have become available or unavailable. */
  readonly onSight: () => void;
}

export class Observer {
  readonly #parts: ObserverParts;
  readonly #outages = new Map<string, string>();
  readonly #leftOut = new Map<string, string>();
  #live: LiveCluster | undefined;
  #synced = false;
  #end = new AbortController();

  constructor(parts: ObserverParts) {
    this.#parts = parts;
  }

  /** Watches this configuration's objects and no others: it may name another cluster or other kinds. */
  watch(stack: Configuration): void {
    this.close();
    const end = new AbortController();
    this.#end = end;
    this.#synced = false;
    this.#outages.clear();
    this.#leftOut.clear();
    const unlessEnded =
      <A extends unknown[]>(act: (...args: A) => void) =>
      (...args: A) => {
        if (!end.signal.aborted) {
          act(...args);
        }
      };
    const { watchCluster, onChange } = this.#parts;
    const events: LiveEvents = {
      onChange: unlessEnded(onChange),
      onTrouble: unlessEnded((what, error) => this.#trouble(what, error)),
      onCut: unlessEnded((what, fruitless) => this.#cut(what, fruitless)),
    };
    this.#live = watchCluster(stack, events, end.signal);
    void this.#live.synced.then(unlessEnded(() => this.#ready()));
  }

  close(): void {
    this.#end.abort();
  }

  /** The live objects; undefined while the view is incomplete, since nothing may count as absent then. */
  get snapshot(): LiveSnapshot | undefined {
    return this.#synced && this.#live?.well === true ? this.#live.snapshot() : undefined;
  }

  /** Why the cluster can't be seen; undefined if it can. */
  get trouble(): string | undefined {
    const outages = [...this.#outages].map(([what, why]) => `no answer for ${what}: ${why}`);
    return outages.join("\n") || (this.#synced ? undefined : "the cluster has not been read yet");
  }

  /** Lists that may not be read, so that what needs them is left out; undefined if all may be read. */
  get leftOut(): string | undefined {
    return [...this.#leftOut].map(([what, why]) => `what needs ${what} is left out: ${why}`).join("\n") || undefined;
  }

  #ready(): void {
    this.#synced = true;
    this.#parts.log.info({ action: "cluster read" }, "the watch sees the cluster");
    this.#reportSight();
  }

  #trouble(what: string, error: Error | undefined): void {
    const { log } = this.#parts;
    if (error instanceof LeftOutError) {
      log.warn(
        { action: "left out", what, reason: error.message },
        `may not read ${what}, and leaves out what needs it`,
      );
      this.#outages.delete(what);
      this.#leftOut.set(what, error.message);
    } else if (error !== undefined) {
      log.warn({ action: "outage began", what, reason: error.message }, `no answer for ${what}`);
      this.#outages.set(what, error.message);
    } else if (this.#outages.delete(what) || this.#leftOut.delete(what)) {
      log.info({ action: "outage ended", what }, `watched again: ${what}`);
    }
    this.#reportSight();
  }

  #cut(what: string, fruitless: number): void {
    const { log, metrics } = this.#parts;
    metrics.connectionsCut.inc();
    if (fruitless + 1 === tellingCuts) {
      const cuts = `connections for ${what} are cut before they bring anything: does a load balancer end them early?`;
      log.warn({ action: "connections cut", what }, cuts);
    }
  }

  #reportSight(): void {
    this.#parts.metrics.leftOut.set(this.#leftOut.size);
    this.#parts.metrics.clusterConnected.set(this.#synced && this.#outages.size === 0 ? 1 : 0);
    this.#parts.onSight();
  }
}
