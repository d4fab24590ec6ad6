import { Writable } from "node:stream";
import { pino } from "pino";
import type { Configuration } from "../../../config/settings.ts";
import type { Planned } from "../../../plan/members/plan.ts";
import { Configured } from "../../../watch/configured.ts";
import type { Divergence } from "../../../watch/live/findings.ts";
import type { LiveSnapshot } from "../../../watch/live/liveObjects.ts";
import { Observer } from "../../../watch/live/observer.ts";
import { Reconciler } from "../../../watch/reconciler.ts";
import { Schedule } from "../../../watch/schedule/schedule.ts";
import type { StackRunner, UpResult, UpScope } from "../../../watch/stackRunner.ts";
import { EventReporter } from "../../../watch/telemetry/eventReporter.ts";
import { Metrics } from "../../../watch/telemetry/metrics.ts";
import type { Notice } from "../../../watch/telemetry/notices.ts";
import { HeldTime } from "../heldTime.ts";
import { today } from "../samples.ts";

export const succeeded: UpResult = { outcome: "succeeded", changes: [] };
export const failed: UpResult = { outcome: "failed", reason: "no such thing", changes: [] };
export const cancelled: UpResult = { outcome: "cancelled", changes: [] };

/** A line of the log. */
type Line = Readonly<Record<string, unknown>>;

/** A log whose lines a test can look at. */
export function fakeLog() {
  const lines: Line[] = [];
  const stream = new Writable({
    write(chunk, _, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  return { lines, log: pino({ level: "debug", formatters: { level: (level) => ({ level }) } }, stream) };
}

export const emptySnapshot: LiveSnapshot = {
  namespaces: new Map(),
  services: new Map(),
  managedObjects: new Map(),
};

/** A keeper whose cluster, stack and clock are a test's. */
export class FakeWatch {
  readonly held = new HeldTime();
  readonly #log = fakeLog();
  readonly metrics = new Metrics();
  readonly notices: Notice[] = [];
  /** Members at each look at what comes. */
  readonly notified: (readonly string[])[] = [];
  readonly ups: UpScope[] = [];
  /** Differences at each look that the board gets, and the ups. */
  readonly looks: (readonly Divergence[])[] = [];
  readonly upsOfBoard: string[] = [];
  readonly stop = new AbortController();
  /** Watched configurations; the last is that of the live informers. */
  readonly watched: Configuration["settings"][] = [];
  readonly reconciler: Reconciler;
  readonly configured: Configured;
  findings: readonly Divergence[] = [];
  /** Result of reading the configuration; an error is thrown. */
  configuration: Configuration | Error | Promise<Configuration>;
  reads = 0;
  /** The last configuration that could be read. */
  kept: Configuration;
  /** Result of an up. */
  up: StackRunner["up"] = async () => succeeded;
  well = true;
  snapshot = emptySnapshot;
  skipped = 0;
  today = today;
  /** The time when this begins. */
  began = Date.parse(`${today}T12:00:00Z`);
  /** Gets each plan that is compared with the cluster. */
  onPlan: (plan: Planned) => void = () => {};
  onChange = () => {};
  onTrouble = (_what: string, _error: Error | undefined) => {};
  sync = () => {};
  #running: Promise<void> | undefined;

  constructor(configuration: Configuration) {
    this.configuration = configuration;
    this.kept = configuration;
    const { metrics } = this;
    const { log } = this.#log;
    const now = () => this.held.now + this.skipped;
    const onSight = () => this.reconciler.wake();
    this.configured = new Configured({
      ...{ log, metrics, now },
      today: () => this.today,
      sources: {
        configuration: async () => {
          this.reads++;
          if (this.configuration instanceof Error) {
            throw this.configuration;
          }
          return await this.configuration;
        },
        kept: async () => this.kept,
      },
    });
    this.reconciler = new Reconciler({
      ...{ log, metrics, now, configured: this.configured },
      time: () => new Date(this.began + this.held.now),
      runner: {
        up: async (request, ...others) => {
          this.ups.push(request);
          return await this.up(request, ...others);
        },
      },
      findings: (plan) => {
        this.onPlan(plan);
        return this.findings;
      },
      board: {
        look: ({ differs }) => void this.looks.push(differs),
        ended: ({ why }, { outcome }) => void this.upsOfBoard.push(`${why}: ${outcome}`),
      },
      notifier: { look: (plan) => void this.notified.push(plan.members.map(({ member }) => member.name)) },
      observer: new Observer({
        ...{ log, metrics, onSight },
        onChange: () => this.reconciler.lookSoon(),
        watchCluster: ({ settings }, { onChange, onTrouble }, signal) => {
          this.watched.push(settings);
          Object.assign(this, { onChange, onTrouble });
          const { promise, resolve } = Promise.withResolvers<void>();
          this.sync = resolve;
          signal.addEventListener("abort", () => this.watched.shift());
          const isWell = () => this.well;
          return {
            synced: promise,
            snapshot: () => this.snapshot,
            get well() {
              return isWell();
            },
          };
        },
      }),
      schedule: new Schedule({ interval: 3_600_000, random: () => 0.5 }),
      eventReporter: new EventReporter(log, metrics, (notice) => this.notices.push(notice) > 0),
      onConfiguration: () => {},
    });
  }

  get lines(): readonly Line[] {
    return this.#log.lines;
  }

  of(action: string): Line[] {
    return this.lines.filter((line) => line.action === action);
  }

  /** Begins, and waits for the informers to be asked for. */
  async start(): Promise<void> {
    this.#running = this.reconciler.run(this.stop.signal);
    this.#running.catch(() => undefined);
    await this.held.until(() => this.watched.length > 0);
  }

  /** Begins, and waits for the end of the first full up. */
  async startWell(): Promise<void> {
    await this.start();
    this.sync();
    await this.held.until(() => this.of("up ended").length === 1);
    await this.held.until(() => !this.configured.isStale);
  }

  /** Has the configuration read again. */
  edit(configuration: Configuration | Error | Promise<Configuration>): void {
    this.configuration = configuration;
    this.configured.expire();
    this.reconciler.wake();
  }

  /** Shows what differs from what is declared. */
  show(...findings: readonly Divergence[]): void {
    this.findings = findings;
    this.onChange();
  }

  /** Has ups of members mend what they are for, and end so. */
  mends(result: UpResult = succeeded): void {
    this.up = async () => {
      this.findings = [];
      return result;
    };
  }

  /** Waits for the end. */
  async ended(): Promise<void> {
    await this.#running;
  }

  async end(): Promise<void> {
    this.stop.abort();
    await this.#running?.catch(() => undefined);
    this.held.release();
  }
}
