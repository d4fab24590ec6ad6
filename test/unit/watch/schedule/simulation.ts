import type { Divergence } from "../../../../watch/live/findings.ts";
import type { Job } from "../../../../watch/schedule/jobs.ts";
import { type Outcome, Schedule } from "../../../../watch/schedule/schedule.ts";

/** How long ups take in a simulation, in milliseconds. */
export const upTime = 4_000;

/** An up that a simulation has run. */
interface Ran {
  readonly at: number;
  readonly job: Job;
  readonly outcome: Outcome;
}

export const opens = (member: string): Divergence => ({ member, what: "route opens" });
export const closes = (member: string): Divergence => ({ member, what: "route closes" });
export const missing = (member: string, object = `NetworkPolicy ${member}/isolation`): Divergence => ({
  member,
  what: "missing",
  object,
});
export const shared: Divergence = {
  member: undefined,
  what: "changed",
  object: "ClusterRole kubecamp:dev:view",
};

/** A schedule with a clock of its own, whose ups end as a test says. */
export class Simulation {
  readonly schedule: Schedule;
  readonly ups: Ran[] = [];
  /** Differences from the declared state. */
  findings: readonly Divergence[] = [];
  /** How an up ends, and whether what it is for is gone then. */
  end: (job: Job) => Outcome = () => "succeeded";
  cures: (finding: Divergence, job: Job) => boolean = () => true;
  now = 0;

  /** Begins after the first full up, as most tests don't mean that one. */
  constructor({ interval = 3_600_000 }: { interval?: number } = {}) {
    this.schedule = new Schedule({ interval, random: () => 0.5 });
    this.schedule.configured(0, "start");
    this.run(upTime + 1_000);
    this.ups.length = 0;
  }

  /** Names in the targets of the ups so far; `full` for a full one. */
  get targets(): string[] {
    return this.ups.map(({ job }) => job.target?.join(" ") ?? "full");
  }

  /** Lets time go by, and runs what is due as it comes. */
  run(milliseconds: number): void {
    const end = this.now + milliseconds;
    while (this.now < end) {
      this.schedule.found(this.findings, this.now);
      const { job, at = Number.POSITIVE_INFINITY } = this.schedule.next(this.now);
      if (job === undefined) {
        this.now = Math.min(Math.max(at, this.now + 1), end);
      } else {
        this.#up(job);
      }
    }
  }

  #up(job: Job): void {
    const at = this.now;
    this.now += upTime;
    const outcome = this.end(job);
    if (outcome === "succeeded") {
      const isMeant = ({ member = "" }: Divergence) => job.target === undefined || job.target.includes(member);
      this.findings = this.findings.filter((finding) => !(isMeant(finding) && this.cures(finding, job)));
      this.schedule.found(this.findings, this.now);
    }
    this.ups.push({ at, job, outcome });
    this.schedule.ended(outcome, this.now);
  }
}
