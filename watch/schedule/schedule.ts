import type { Divergence } from "../live/findings.ts";
import { type Case, Cases, type Changes, pauseAfter } from "./cases.ts";
import { dueTimes, isAbout, type Job, jobFor } from "./jobs.ts";

/** What decides when an up is due. Times are in milliseconds. */
export interface ScheduleOptions {
  /** Between two full ups; each time a tenth more or less, so that many stacks don't run at once. */
  readonly interval: number;
  /** From 0 to 1, for that tenth. */
  readonly random: () => number;
}

/** How an up ended, as far as it decides when the next is due. */
export type Outcome = "succeeded" | "failed" | "locked" | "cancelled";

/** What is to be done now, or when to ask again; neither if only an event changes that. */
export interface Next {
  readonly job?: Job;
  readonly at?: number;
}

/** Until what an up has done can be seen. */
const settling = 500;
const firstLockPause = 2_000;
const longestLockPause = 30_000;
/** Where all ups fail, the members are not what is wrong: of those who have failed, one is tried so often. */
const longestBrake = 30_000;
/** Decides which up is due when. No clock, no timer, no I/O: each call says what time it is. */
export class Schedule {
  readonly #options: ScheduleOptions;
  readonly #cases = new Cases();
  #underWay: { readonly job: Job; readonly cases: readonly Case[]; readonly day: string } | undefined;
  #members = 0;
  /** When the next full up is due, why, and how many have failed in a row. */
  #fullAt = Number.NEGATIVE_INFINITY;
  #fullWhy = "start";
  #fullFailures = 0;
  /** Day of the last full up; undefined if there was none with this configuration. */
  #fullDay: string | undefined;
  /** Targeted ups that failed since one succeeded. */
  #failures = 0;
  #brakeUntil = Number.NEGATIVE_INFINITY;
  #locks = 0;
  #lockedUntil = Number.NEGATIVE_INFINITY;

  constructor(options: ScheduleOptions) {
    this.#options = options;
  }

  /** Another configuration is in force, with so many members: all of it is brought up, without waiting. */
  configured(members: number, now: number, why: "start" | "configuration"): void {
    this.#members = members;
    this.#fullAt = now;
    this.#fullWhy = why;
    this.#fullFailures = 0;
    this.#fullDay = undefined;
    this.#cases.forgive(now);
  }

  /** All that differs from what is declared, as far as it was found. */
  get present(): readonly Case[] {
    return this.#cases.present;
  }

  /** Takes all that differs now from what is declared, and says what of it is new and what is over. */
  found(findings: readonly Divergence[], now: number): Changes {
    const changes = this.#cases.see(findings, now, this.#fullDay !== undefined);
    const { job } = this.#underWay ?? {};
    // An up also mends what has come since it began, as far as it had not looked yet.
    for (const one of changes.gone.filter((each) => job !== undefined && isAbout(job, each))) {
      one.tried = true;
    }
    return changes;
  }

  /**
   * The up that is due. Whoever gets one runs it and says with `ended` how it went; until then there is no other.
   * @param today as `2026-12-31`: with the day, people's environments expire
   */
  next(now: number, today: string): Next {
    if (this.#underWay !== undefined) {
      return {};
    }
    if (now < this.#lockedUntil) {
      return { at: this.#lockedUntil };
    }
    if (this.#fullDay !== undefined && this.#fullDay !== today && this.#fullFailures === 0) {
      this.#fullAt = Math.min(this.#fullAt, now);
      this.#fullWhy = "day";
    }
    const present = this.#cases.present;
    if (now >= this.#fullAt) {
      return this.#begin({ kind: "full", target: undefined, refresh: true, why: this.#fullWhy }, present, today);
    }
    const failing = this.#fullFailures > 0;
    const times = dueTimes(present, failing ? this.#fullAt : Number.NEGATIVE_INFINITY, this.#brakeUntil);
    const due = present.filter((_, at) => (times[at] ?? now) <= now);
    const job = jobFor(due, present, { members: this.#members, mayBeFull: !failing });
    return job === undefined ? { at: Math.min(this.#fullAt, ...times) } : this.#begin(job, present, today);
  }

  /**
   * The up that `next` gave has ended.
   * @returns what neither this one nor the one before has mended, though they succeeded; each is told once
   */
  ended(outcome: Outcome, now: number): Case[] {
    const { job, cases = [], day } = this.#underWay ?? {};
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
      this.#succeeded(job, day, cases, now);
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

  #succeeded(job: Job, day: string | undefined, cases: readonly Case[], now: number): void {
    this.#failures = 0;
    this.#brakeUntil = now;
    for (const one of cases) {
      one.attempts++;
      one.served++;
      one.company = Number.POSITIVE_INFINITY;
      one.notBefore = now + pauseAfter(one.attempts);
    }
    // Half of an up looks like something to mend until all of it has been seen.
    for (const one of this.#cases.present.filter((each) => isAbout(job, each) && !cases.includes(each))) {
      one.notBefore = Math.max(one.notBefore, now + settling);
    }
    if (!this.#isWhole(job)) {
      return;
    }
    this.#fullFailures = 0;
    // Unless a change of configuration during the up has made another one due.
    if (this.#fullAt === Number.POSITIVE_INFINITY) {
      const { interval, random } = this.#options;
      this.#fullAt = now + interval * (0.9 + 0.2 * random());
      this.#fullWhy = "interval";
      this.#fullDay = day;
    }
  }

  /** Whether it is what the interval asks for. */
  #isWhole({ kind, refresh }: Job): boolean {
    return kind === "full" && refresh;
  }

  /** One member may be what all failed for: halves find out, and let the others through. */
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

  #begin(job: Job, present: readonly Case[], day: string): Next {
    const cases = present.filter((one) => isAbout(job, one));
    for (const one of cases) {
      one.tried = true;
    }
    this.#underWay = { job, cases, day };
    this.#fullAt = this.#isWhole(job) ? Number.POSITIVE_INFINITY : this.#fullAt;
    return { job };
  }
}
