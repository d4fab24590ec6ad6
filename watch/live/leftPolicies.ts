import type { Logger } from "pino";
import { messageOf } from "../../cluster/api/message.ts";
import { policiesOfOthers } from "../../cluster/read/rights/mayWrite.ts";
import type { Settings } from "../../config/model/settings/settings.ts";
import { sharedObjects } from "../../plan/manifest/manifest.ts";
import { policyObjectsOf } from "../../plan/manifest/policyObjects.ts";
import type { Divergence } from "./findings.ts";

interface LeftPoliciesParts {
  readonly log: Logger;
  /** Keys (`objectKey`) of the policies that this identity may not write. */
  readonly ask: (settings: Settings) => Promise<ReadonlySet<string>>;
  /** Called when the set of those policies has changed. */
  readonly onChange: () => void;
}

/**
 * Knows which admission policies the watch may not write, and logs once each that differs from what is declared. The watch
 * leaves these alone: no up of its own mends them, and each attempt would bring up all members in vain. A missing policy is
 * not left out: without it no new member gets access, so each up reports it.
 */
export class LeftPolicies {
  readonly #parts: LeftPoliciesParts;
  #left: ReadonlySet<string> = new Set();
  #reported: ReadonlySet<string> = new Set();

  constructor(parts: Pick<LeftPoliciesParts, "log" | "onChange"> & Partial<LeftPoliciesParts>) {
    const ask = (settings: Settings) =>
      policiesOfOthers(settings, policyObjectsOf({ shared: sharedObjects(settings, true) }));
    this.#parts = { ask, ...parts };
  }

  /** Asks the API server. Without an answer, the last known set stays. */
  async look(settings: Settings): Promise<void> {
    const { ask, log, onChange } = this.#parts;
    try {
      const left = await ask(settings);
      const changed = left.size !== this.#left.size || [...left].some((key) => !this.#left.has(key));
      this.#left = left;
      if (changed) {
        onChange();
      }
    } catch (error) {
      const reason = messageOf(error);
      log.debug({ action: "rights unknown", reason }, "it is unknown whether the watch may write admission policies");
    }
  }

  /** Divergences that an up can mend. */
  without(findings: readonly Divergence[]): readonly Divergence[] {
    const isOfLeftPolicy = ({ what, object = "" }: Divergence) => what === "changed" && this.#left.has(object);
    const left = findings.filter(isOfLeftPolicy).map(({ object = "" }) => object);
    for (const object of left.filter((each) => !this.#reported.has(each))) {
      this.#parts.log.warn(
        { action: "left to an admin", object },
        `${object} differs from its declaration, and the watch may not write it: run 'pulumi up' as an admin`,
      );
    }
    this.#reported = new Set(left);
    return left.length === 0 ? findings : findings.filter((finding) => !isOfLeftPolicy(finding));
  }
}
