import type { Divergence } from "../live/findings.ts";

/** How many milliseconds a case that is gone is remembered: whoever undoes what we do again and again must not keep us running. */
const memory = 60_000;
const firstPause = 1_000;
const longestPause = 5 * 60_000;

/** The pause after so many tries that were in vain, in milliseconds: 1 second, and twice as long each time, up to 5 minutes. */
export const pauseAfter = (tries: number): number => Math.min(firstPause * 2 ** Math.max(tries - 1, 0), longestPause);

/** One thing that is not as it should be, and what has been tried to mend it. Times are milliseconds of the clock. */
export interface Case {
  readonly key: string;
  finding: Divergence;
  /** When it was seen, after it had not been there. */
  since: number;
  /** Since when it is not there any more; undefined as long as it is. */
  absentSince: number | undefined;
  /** Whether an up has been run for it since it is there, or is under way. */
  tried: boolean;
  /** Ups for its sake that succeeded or were for this member alone, as far back as it is remembered. */
  attempts: number;
  /** Ups that succeeded since it is there. */
  served: number;
  /** No up for its sake before that. */
  notBefore: number;
  /** With how many members at most it shares an up: fewer after one for several has failed. */
  company: number;
  /** Whether all was as declared before: then somebody did it by hand. */
  drift: boolean;
}

/** What has come and gone between two looks. */
export interface Changes {
  readonly appeared: readonly Case[];
  readonly gone: readonly Case[];
}

/** All that is known of what is not as it should be. */
export class Cases {
  readonly #cases = new Map<string, Case>();

  /** Those that are there now. */
  get present(): Case[] {
    return [...this.#cases.values()].filter(({ absentSince }) => absentSince === undefined);
  }

  /** Takes what a look at the cluster has found, all of it. */
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
      // A route that leads nowhere hurts others: closing it never waits for what was before.
      const forgotten = one.finding.what === "route closes" ? 0 : memory;
      if (one.absentSince !== undefined && now - one.absentSince >= forgotten) {
        this.#cases.delete(key);
      }
    }
    return { appeared, gone };
  }

  /** Begins anew: what was tried in vain may work with another configuration. */
  forgive(now: number): void {
    for (const one of this.#cases.values()) {
      Object.assign(one, { attempts: 0, company: Number.POSITIVE_INFINITY, notBefore: Math.min(one.notBefore, now) });
    }
  }
}

const keyOf = ({ member = "", what, object = "" }: Divergence) => [member, what, object].join("\n");
