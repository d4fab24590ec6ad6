import { accessRefusals, accessWarnings } from "./access.ts";
import { clusterRefusals, clusterWarnings } from "./cluster.ts";
import { contentsRefusals, contentsWarnings } from "./contents.ts";
import { driftWarnings } from "./drift.ts";
import type { Finding, Refusal, RefusalCode, RefusalFacts, WarningCode, WarningFacts } from "./finding.ts";
import { comingWords } from "./notices.ts";
import { offboardingRefusals, offboardingWarnings } from "./offboarding.ts";
import { ownershipRefusals, ownershipWarnings } from "./ownership.ts";
import { quotaWarnings } from "./quotas.ts";
import { routeRefusals, routeWarnings } from "./routes.ts";
import { stackRefusals, stackWarnings } from "./stacks.ts";
import { suspensionWarnings } from "./suspension.ts";
import { uncheckedWarnings } from "./unchecked.ts";
import type { WordsOf } from "./wording.ts";

/** The command that updates a stack, as texts name it. */
export type UpCommand = "pulumi up" | "kubecamp up";

/** A warning as it is shown. */
export interface Warning {
  readonly code: WarningCode;
  readonly text: string;
}

const words: WordsOf<WarningFacts & RefusalFacts> = {
  ...accessRefusals,
  ...accessWarnings,
  ...clusterRefusals,
  ...clusterWarnings,
  ...comingWords,
  ...contentsRefusals,
  ...contentsWarnings,
  ...driftWarnings,
  ...offboardingRefusals,
  ...offboardingWarnings,
  ...ownershipRefusals,
  ...ownershipWarnings,
  ...quotaWarnings,
  ...routeRefusals,
  ...routeWarnings,
  ...stackRefusals,
  ...stackWarnings,
  ...suspensionWarnings,
  ...uncheckedWarnings,
};

/** Each finding once, grouped by code, in the order of each code's first finding. */
export const warningsOf = (findings: readonly Finding[], by: UpCommand = "pulumi up"): Warning[] =>
  [...Map.groupBy(eachOnce(findings), ({ code }) => code)].flatMap(([code, all]) =>
    worded(code, all).map((text) => ({ code, text: naming(text, by) })),
  );

/** A paragraph for each, with a solution. */
export const refusalTexts = (refusals: readonly Refusal[], by: UpCommand = "pulumi up"): string[] =>
  refusals.flatMap((refusal) => worded(refusal.code, [refusal])).map((text) => naming(text, by));

/** Texts name `pulumi up`. Everything they say is true of `kubecamp up`, too, which takes the same options. */
export const naming = (text: string, by: UpCommand) => text.replaceAll(/\bpulumi up\b/g, by);

/** Shards of a list and several runs of a stack find the same. */
export const eachOnce = <F extends Finding>(findings: readonly F[]): F[] => [
  ...new Map(findings.map((one) => [JSON.stringify(one), one])).values(),
];

/** TypeScript can't see that the findings of a code fit its texts. */
const worded = <C extends WarningCode | RefusalCode>(code: C, all: readonly Finding<WarningCode | RefusalCode>[]) =>
  words[code](all as readonly Finding<C>[]);
