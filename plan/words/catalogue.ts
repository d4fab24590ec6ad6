import { withPages } from "../../config/values/pages.ts";
import { accessWords } from "./access.ts";
import { clusterWords } from "./cluster.ts";
import { contentsWords } from "./contents.ts";
import { driftWords } from "./drift.ts";
import type { Finding, Refusal, RefusalCode, RefusalFacts, WarningCode, WarningFacts } from "./finding.ts";
import { comingWords } from "./notices.ts";
import { offboardingWords } from "./offboarding.ts";
import { ownershipWords } from "./ownership.ts";
import { quotaWords } from "./quotas.ts";
import { routeWords } from "./routes.ts";
import { stackWords } from "./stacks.ts";
import { suspensionWords } from "./suspension.ts";
import { uncheckedWords } from "./unchecked.ts";
import type { WordsOf } from "./wording.ts";

export type UpCommand = "pulumi up" | "kubecamp up";

export interface Warning {
  readonly code: WarningCode;
  readonly text: string;
}

const words: WordsOf<WarningFacts & RefusalFacts> = {
  ...accessWords,
  ...clusterWords,
  ...comingWords,
  ...contentsWords,
  ...driftWords,
  ...offboardingWords,
  ...ownershipWords,
  ...quotaWords,
  ...routeWords,
  ...stackWords,
  ...suspensionWords,
  ...uncheckedWords,
};

/** Each finding once, grouped by code, in the order of each code's first finding. */
export const warningsOf = (findings: readonly Finding[], by: UpCommand = "pulumi up"): Warning[] =>
  [...Map.groupBy(eachOnce(findings), ({ code }) => code)].flatMap(([code, all]) =>
    worded(code, all).map((text) => ({ code, text: naming(text, by) })),
  );

export const refusalTexts = (refusals: readonly Refusal[], by: UpCommand = "pulumi up"): string[] =>
  refusals.flatMap((refusal) => worded(refusal.code, [refusal])).map((text) => naming(text, by));

/** Texts name `pulumi up`. Everything they say is true of `kubecamp up`, too, which takes the same options. */
export const naming = (text: string, by: UpCommand) => withPages(text.replaceAll(/\bpulumi up\b/g, by));

/** Shards of a list and several runs of a stack find the same. */
export const eachOnce = <F extends Finding>(findings: readonly F[]): F[] => [
  ...new Map(findings.map((one) => [JSON.stringify(one), one])).values(),
];

/** TypeScript can't see that the findings of a code fit its texts. */
const worded = <C extends WarningCode | RefusalCode>(code: C, all: readonly Finding<WarningCode | RefusalCode>[]) =>
  words[code](all as readonly Finding<C>[]);
