import type { Divergence } from "../live/findings.ts";

/** Milliseconds to remember a case that is gone: undoing repairs again and again must not cause endless ups. */
const memory = 60_000;
const firstPause = 1_000;
const longestPause = 5 * 60_000;

/** Pause after so many vain attempts, in milliseconds: 1 second, doubled each time, up to 5 minutes. */
export const pauseAfter = (tries: number): number => Math.min(firstPause * 2 ** Math.max(tries - 1, 0), longestPause);

/** A divergence and the attempts to mend it. Times are milliseconds of the clock. */
export interface Case {
  readonly key: string;
  finding: Divergence;
  /** When it appeared last. */
  since: number;
  /** When it disappeared; undefined while it is present. */
  absentSince: number | undefined;
  /** Whether an up has been run for it since it appeared, or is under way. */
  tried: boolean;
  /** Ups for it that succeeded, or that failed with this member alone; kept as long as the case is remembered. */
  attempts: number;
  /** Ups that succeeded since it appeared. */
  served: number;
  /** Earliest time of the next up for it. */
  notBefore: number;
  /** Most members that its up may have: halved after an up for several has failed. */
  company: number;
  /** Whether it appeared after a full up had succeeded: then somebody changed the object by hand. */
  drift: boolean;
}

export interface Changes {
  readonly appeared: readonly Case[];
  readonly gone: readonly Case[];
}

export class Cases {
  readonly #cases = new Map<string, Case>();

  get present(): Case[] {
    return [...this.#cases.values()].filter(({ absentSince }) => absentSince === undefined);
  }

  see(findings: readonly Divergence[], now: number, drift: boolean): Changes {
    const found = new Map(findings.map((finding) => [keyOf(finding), finding]));
    const appeared: Case[] = [];
    const gone: Case[] = [];
    for (const [key, finding] of found) {
      const known = this.#cases.get(key);
      if (known === undefined) {
        const fresh = { key, finding, since: now, absentSince: undefined, tried: false, served: 0, attempts: 0 };
        const one: Case = { ...fresh, notBefore: now, company: Number.POSITIVE_INFINITY, drift };
        this.#cases.set(key, one);
        appeared.push(one);
      } else {
        known.finding = finding;
        if (known.absentSince !== undefined) {
          Object.assign(known, { since: now, absentSince: undefined, tried: false, served: 0, drift });
          appeared.push(known);
        }
      }
    }
    for (const [key, one] of this.#cases) {
      if (one.absentSince === undefined && !found.has(key)) {
        one.absentSince = now;
        gone.push(one);
      }
      // A route that leads nowhere harms others: closing one never waits for earlier attempts.
      const forgotten = one.finding.what === "route closes" ? 0 : memory;
      if (one.absentSince !== undefined && now - one.absentSince >= forgotten) {
        this.#cases.delete(key);
      }
    }
    return { appeared, gone };
  }

  /** Resets the attempts: with another configuration an up may succeed. */
  forgive(now: number): void {
    for (const one of this.#cases.values()) {
      Object.assign(one, { attempts: 0, company: Number.POSITIVE_INFINITY, notBefore: Math.min(one.notBefore, now) });
    }
  }
}

const keyOf = ({ member = "", what, object = "" }: Divergence) => [member, what, object].join("\n");
