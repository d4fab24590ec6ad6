import type { Divergence } from "../live/findings.ts";
import { type Case, Cases, type Changes, pauseAfter } from "./cases.ts";
import { dueTimes, isAbout, type Job, jobFor } from "./jobs.ts";

interface ScheduleOptions {
  /** Time between two full ups, varied by a tenth so that many stacks don't run at once. */
  readonly interval: number;
  readonly random: () => number;
}

export type Outcome = "succeeded" | "failed" | "locked" | "cancelled";

/** The up to run now, or the time to ask again; neither if only an event changes that. */
interface Next {
  readonly job?: Job;
  readonly at?: number;
}

/** Milliseconds until an up's changes are visible. */
const settling = 500;
const firstLockPause = 2_000;
const longestLockPause = 30_000;
/** Longest pause between targeted ups while all of them fail, in milliseconds: then the members are hardly the cause. */
const longestBrake = 30_000;
/** Decides which up is due when. It has no clock, timer or I/O: each call passes the time. */
export class Schedule {
  readonly #options: ScheduleOptions;
  readonly #cases = new Cases();
  #underWay: { readonly job: Job; readonly cases: readonly Case[] } | undefined;
  /** Time and reason of the next full up, and number of failures in a row. */
  #fullAt = Number.NEGATIVE_INFINITY;
  #fullWhy = "start";
  #fullFailures = 0;
  /** Whether a full up has succeeded with this configuration. */
  #isUp = false;
  /** Targeted ups that have failed since one succeeded. */
  #failures = 0;
  #brakeUntil = Number.NEGATIVE_INFINITY;
  #locks = 0;
  #lockedUntil = Number.NEGATIVE_INFINITY;

  constructor(options: ScheduleOptions) {
    this.#options = options;
  }

  /** Takes a new configuration: a full up is due at once. */
  configured(now: number, why: "start" | "configuration"): void {
    this.#fullAt = now;
    this.#fullWhy = why;
    this.#fullFailures = 0;
    this.#isUp = false;
    this.#cases.forgive(now);
  }

  get present(): readonly Case[] {
    return this.#cases.present;
  }

  /** Takes all differences of one comparison and returns those that are new or gone. */
  found(findings: readonly Divergence[], now: number): Changes {
    const changes = this.#cases.see(findings, now, this.#isUp);
    const { job } = this.#underWay ?? {};
    // A running up also mends what appeared after its start, if it had not come to it yet.
    for (const one of changes.gone.filter((each) => job !== undefined && isAbout(job, each))) {
      one.tried = true;
    }
    return changes;
  }

  /** The up that is due. Run it and report with `ended`: until then `next` returns no other. */
  next(now: number): Next {
    if (this.#underWay !== undefined) {
      return {};
    }
    if (now < this.#lockedUntil) {
      return { at: this.#lockedUntil };
    }
    const present = this.#cases.present;
    if (now >= this.#fullAt) {
      return this.#begin({ kind: "full", target: undefined, refresh: true, why: this.#fullWhy }, present);
    }
    const failing = this.#fullFailures > 0;
    const times = dueTimes(present, failing ? this.#fullAt : Number.NEGATIVE_INFINITY, this.#brakeUntil);
    const due = present.filter((_, at) => (times[at] ?? now) <= now);
    const job = jobFor(due, present, !failing);
    return job === undefined ? { at: Math.min(this.#fullAt, ...times) } : this.#begin(job, present);
  }

  /** Takes the outcome of the up that `next` returned. @returns cases that two successful ups have not mended */
  ended(outcome: Outcome, now: number): Case[] {
    const { job, cases = [] } = this.#underWay ?? {};
    this.#underWay = undefined;
    if (job === undefined) {
      return [];
    }
    if (outcome === "locked" || outcome === "cancelled") {
      this.#locks = outcome === "locked" ? this.#locks + 1 : this.#locks;
      this.#lockedUntil = now + Math.min(firstLockPause * 2 ** Math.max(this.#locks - 1, 0), longestLockPause);
      this.#fullAt = this.#isWhole(job) ? now : this.#fullAt;
      for (const one of cases) {
        one.tried = false;
      }
      return [];
    }
    this.#locks = 0;
    if (outcome === "succeeded") {
      this.#succeeded(job, cases, now);
      return cases.filter(({ served, absentSince }) => served === 2 && absentSince === undefined);
    }
    if (job.kind === "full") {
      this.#fullFailures++;
      this.#fullAt = Math.min(this.#fullAt, now + pauseAfter(this.#fullFailures));
    } else {
      this.#failed(job.target.length, cases, now);
    }
    return [];
  }

  #succeeded(job: Job, cases: readonly Case[], now: number): void {
    this.#failures = 0;
    this.#brakeUntil = now;
    for (const one of cases) {
      one.attempts++;
      one.served++;
      one.company = Number.POSITIVE_INFINITY;
      one.notBefore = now + pauseAfter(one.attempts);
    }
    // The effect of an up becomes visible piece by piece, and a part of it looks like a divergence.
    for (const one of this.#cases.present.filter((each) => isAbout(job, each) && !cases.includes(each))) {
      one.notBefore = Math.max(one.notBefore, now + settling);
    }
    if (!this.#isWhole(job)) {
      return;
    }
    this.#fullFailures = 0;
    // Unless the configuration changed during the up, which makes another full up due.
    if (this.#fullAt === Number.POSITIVE_INFINITY) {
      const { interval, random } = this.#options;
      this.#fullAt = now + interval * (0.9 + 0.2 * random());
      this.#fullWhy = "interval";
      this.#isUp = true;
    }
  }

  #isWhole({ kind, refresh }: Job): boolean {
    return kind === "full" && refresh;
  }

  /** One member may have caused the failure: halves find the one and let the others through. */
  #failed(members: number, cases: readonly Case[], now: number): void {
    this.#failures++;
    const brake = this.#failures > 1 ? Math.min(pauseAfter(this.#failures - 1), longestBrake) : 0;
    this.#brakeUntil = now + brake;
    for (const one of cases) {
      if (members > 1) {
        one.company = Math.ceil(members / 2);
      } else {
        one.company = 1;
        one.attempts++;
        one.notBefore = now + pauseAfter(one.attempts);
      }
    }
  }

  #begin(job: Job, present: readonly Case[]): Next {
    const cases = present.filter((one) => isAbout(job, one));
    for (const one of cases) {
      one.tried = true;
    }
    this.#underWay = { job, cases };
    this.#fullAt = this.#isWhole(job) ? Number.POSITIVE_INFINITY : this.#fullAt;
    return { job };
  }
}
