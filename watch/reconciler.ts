import type { Logger } from "pino";
import { staffAt } from "../config/staff.ts";
import { atMoment, nextMoment } from "../plan/decisions/sleep.ts";
import { type Planned, planMembers } from "../plan/members/plan.ts";
import type { BoardPages } from "./board/pages.ts";
import type { Configured } from "./configured.ts";
import type { Divergence } from "./live/findings.ts";
import type { LiveSnapshot } from "./live/liveObjects.ts";
import type { Observer } from "./live/observer.ts";
import type { Notifier } from "./notify/notifier.ts";
import type { Job } from "./schedule/jobs.ts";
import type { Schedule } from "./schedule/schedule.ts";
import type { StackRunner, UpResult } from "./stackRunner.ts";
import type { EventReporter } from "./telemetry/eventReporter.ts";
import { reportEnd } from "./telemetry/log.ts";
import type { Metrics } from "./telemetry/metrics.ts";
import type { Health } from "./telemetry/server.ts";

interface ReconcilerParts {
  readonly runner: Pick<StackRunner, "up">;
  readonly configured: Configured;
  readonly observer: Observer;
  readonly findings: (plan: Planned<LiveSnapshot>) => readonly Divergence[];
  readonly schedule: Schedule;
  readonly eventReporter: EventReporter;
  readonly notifier: Pick<Notifier, "look">;
  readonly board: Pick<BoardPages, "look" | "ended">;
  readonly metrics: Metrics;
  readonly log: Logger;
  /** Called after each read of the configuration: other files may matter now. */
  readonly onConfiguration: () => void;
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
  /** The time, which decides who is asleep, and whose lease is over. */
  readonly time: () => Date;
}

/** Milliseconds after which everything is compared again, without any event. */
const heartbeat = 30_000;
/** Milliseconds without progress after which an up counts as hanging; as a whole, one for many members may take longer. */
const mostHanging = 30 * 60_000;
/** Pause between comparisons: at least so many milliseconds, and so many times the duration of the last one. */
const betweenLooks = 50;
const looksShare = 3;

/** Keeps a stack as its configuration declares it: compares, decides, and runs one up at a time. */
export class Reconciler implements Health {
  readonly #parts: ReconcilerParts;
  /** Why no full up has succeeded yet. */
  #noUp: string | undefined = "the first full up has not ended yet";
  /** When the running up, or else the last comparison, last made progress. */
  #beat: number;
  #lookTimer: NodeJS.Timeout | undefined;
  #lookTook = 0;
  #brokenLook: string | undefined;
  /** Keys of admission policies that the last full up might not write. They are left to an admin: another up would be in vain. */
  #left: readonly string[] = [];
  /** Milliseconds from the last comparison until the next member falls asleep or wakes, or a lease ends. */
  #untilMoment = Number.POSITIVE_INFINITY;
  #wake = Promise.withResolvers<void>();

  constructor(parts: ReconcilerParts) {
    this.#parts = parts;
    this.#beat = parts.now();
  }

  alive(): string | undefined {
    const minutes = (this.#parts.now() - this.#beat) / 60_000;
    return minutes * 60_000 < mostHanging ? undefined : `an up has made no progress for ${Math.floor(minutes)} minutes`;
  }

  ready(): string | undefined {
    const { configured, observer } = this.#parts;
    return configured.trouble ?? observer.trouble ?? this.#noUp ?? observer.leftOut;
  }

  wake(): void {
    this.#wake.resolve();
  }

  /** Compares soon after a change on the cluster: changes come in bursts, and comparing many members takes time. */
  lookSoon(): void {
    this.#lookTimer ??= setTimeout(
      () => {
        this.#lookTimer = undefined;
        this.#look();
        this.wake();
      },
      Math.max(betweenLooks, this.#lookTook * looksShare),
    );
  }

  /** Runs until `stop` is aborted, which ends a running up as soon as Pulumi has finished what it has begun. */
  async run(stop: AbortSignal): Promise<void> {
    const { configured, schedule, observer, now } = this.#parts;
    stop.addEventListener("abort", () => this.wake());
    while (!stop.aborted) {
      this.#progressed();
      if (configured.isStale) {
        await this.#configure(stop);
      }
      const isSeen = this.#look();
      // In an outage, nothing may count as absent.
      const { job, at = Number.POSITIVE_INFINITY } = isSeen && !stop.aborted ? schedule.next(now()) : {};
      if (job === undefined) {
        await this.#sleep(Math.min(at - now(), this.#untilMoment));
      } else {
        await this.#up(job, stop);
      }
    }
    clearTimeout(this.#lookTimer);
    observer.close();
  }

  #progressed(): void {
    this.#beat = this.#parts.now();
  }

  async #sleep(milliseconds: number): Promise<void> {
    const timer = setTimeout(() => this.wake(), Math.min(Math.max(milliseconds, 0), heartbeat));
    await this.#wake.promise;
    clearTimeout(timer);
    this.#wake = Promise.withResolvers();
  }

  async #configure(stop: AbortSignal): Promise<void> {
    const { configured, schedule, observer, now, onConfiguration } = this.#parts;
    const isFirst = configured.inForce === undefined;
    const change = await configured.read(stop);
    const { inForce } = configured;
    onConfiguration();
    if (inForce !== undefined && change !== "nothing") {
      schedule.configured(now(), isFirst ? "start" : "configuration");
    }
    if (inForce !== undefined && change === "settings") {
      observer.watch(inForce);
    }
  }

  /** Compares the declared objects with the live ones. @returns whether the cluster can be seen */
  #look(): boolean {
    const { configured, observer, findings, schedule, eventReporter, notifier, board, log, now, time } = this.#parts;
    const began = now();
    const { inForce } = configured;
    const { snapshot } = observer;
    if (inForce === undefined || snapshot === undefined) {
      return false;
    }
    try {
      const moment = time();
      const members = atMoment(staffAt(inForce.members, inForce.settings, moment), snapshot, moment);
      this.#untilMoment =
        (nextMoment(members, snapshot, moment)?.getTime() ?? Number.POSITIVE_INFINITY) - moment.getTime();
      const plan = planMembers(members, inForce.settings, snapshot);
      const found = findings(plan);
      this.#left = this.#left.filter((key) => found.some(({ object }) => object === key));
      const isLeft = ({ what, object = "" }: Divergence) => what === "changed" && this.#left.includes(object);
      const changes = schedule.found(
        found.filter((each) => !isLeft(each)),
        began,
      );
      const gone = changes.gone.filter(({ finding }) => !isLeft(finding));
      for (const { finding } of changes.appeared) {
        log.debug({ action: "found", ...finding }, "this differs from what is declared");
      }
      eventReporter.look({ plan, changes: { ...changes, gone }, present: schedule.present, now: began });
      notifier.look(plan);
      board.look({ plan, differs: schedule.present.map(({ finding }) => finding), moment });
      this.#brokenLook = undefined;
    } catch (error) {
      // A bug in kubecamp. Full ups continue.
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
      if (reason !== this.#brokenLook) {
        log.error({ action: "look failed", reason }, "can't tell what differs from the declaration");
      }
      this.#brokenLook = reason;
    }
    this.#lookTook = now() - began;
    return true;
  }

  async #up(job: Job, stop: AbortSignal): Promise<void> {
    const { runner, configured, schedule, board, metrics, log, now, time } = this.#parts;
    const { kind, target, refresh, why } = job;
    log.info({ action: "up started", kind, members: target, why }, `${kind} up: ${why}`);
    const began = now();
    const result = await runner
      .up({ target, refresh }, stop, () => this.#progressed())
      .catch((error: Error): UpResult => ({ outcome: "failed", reason: error.message, changes: [] }));
    const seconds = Math.round(now() - began) / 1000;
    metrics.ups.inc({ kind, result: result.outcome });
    if (result.outcome === "succeeded" || result.outcome === "failed") {
      metrics.upDuration.observe({ kind }, seconds);
    }
    const trouble = reportEnd(log, job, result, seconds);
    if (kind === "full" && (result.outcome === "succeeded" || result.outcome === "failed")) {
      this.#leave(result.leftPolicies ?? []);
    }
    board.ended(job, result, seconds, time());
    for (const { finding } of schedule.ended(result.outcome, now())) {
      log.warn(
        { action: "not mended", ...finding },
        "two ups have not repaired this; the next tries come at growing intervals",
      );
    }
    if (kind === "full" && refresh && result.outcome === "succeeded") {
      this.#noUp = undefined;
      if (result.notRefreshed === undefined) {
        metrics.lastSuccess.set(Date.now() / 1000);
      }
      // Parts of the configuration may lie outside the watched files.
      configured.expire();
    } else if (kind === "full" && this.#noUp !== undefined) {
      this.#noUp = `no full up has succeeded yet: ${trouble}`;
    }
  }
  /** Tells once of each policy that differs. */
  #leave(policies: readonly string[]): void {
    for (const object of policies.filter((each) => !this.#left.includes(each))) {
      this.#parts.log.warn(
        { action: "left to an admin", object },
        `${object} differs from its declaration, and the watch may not write it: run 'pulumi up' as an admin`,
      );
    }
    this.#left = policies;
  }
}
