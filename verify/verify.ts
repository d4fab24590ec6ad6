import type { ApiTarget } from "../cluster/api/kubeconfig/kubeconfig.ts";
import type { Member } from "../config/member/member.ts";
import type { RunError } from "../config/values/runError.ts";
import { type Part, type Proof, parts, proofsOf, type Tried } from "./outcome.ts";
import { tryAccess } from "./parts/access.ts";
import { tryAdmission } from "./parts/admission.ts";
import { tryBuckets } from "./parts/buckets.ts";
import { tryGuards } from "./parts/guards.ts";
import { tryLimits } from "./parts/limits.ts";
import { tryNetwork } from "./parts/network.ts";
import { tryRoute } from "./parts/route.ts";
import { trySignIn } from "./parts/signIn.ts";
import { withStage } from "./stage/withStage.ts";
import type { Trial } from "./trial.ts";

export interface Verified extends Pick<Trial, "configuration" | "isPart" | "opened" | "options"> {
  /** Members made for a while (`throwaways`). */
  readonly members: readonly Member[];
  readonly target: ApiTarget;
  readonly signal: AbortSignal;
  readonly tell: (text: string) => void;
}

const trials: Readonly<Record<Part, (trial: Trial) => Promise<readonly Tried[]>>> = {
  guards: tryGuards,
  access: tryAccess,
  admission: tryAdmission,
  limits: tryLimits,
  network: tryNetwork,
  route: tryRoute,
  buckets: tryBuckets,
  "sign-in": trySignIn,
};

/**
 * Tries the promises of the documentation on the stack's cluster, and leaves nothing behind.
 * @returns also what could not be removed
 * @throws RunError if no member can be made
 */
export async function verify({
  tell,
  target,
  members,
  signal,
  ...trial
}: Verified): Promise<{ readonly done: readonly Proof[]; readonly left: RunError | undefined }> {
  const { settings } = trial.configuration;
  return await withStage({ target, members, signal, settings, tell }, async (stage) => {
    const proofs: Proof[] = [];
    for (const part of parts.filter((each) => trial.options.only.includes(each))) {
      tell(`Trying ${part}`);
      proofs.push(...proofsOf(part, await trials[part]({ stage, ...trial })));
    }
    return proofs;
  });
}
