import type { AccessRefusals, AccessWarnings } from "./access.ts";
import type { ClusterRefusals, ClusterWarnings } from "./cluster.ts";
import type { ContentsRefusals, ContentsWarnings } from "./contents.ts";
import type { DriftWarnings } from "./drift.ts";
import type { ComingFacts, NoticeFacts } from "./notices.ts";
import type { OffboardingRefusals, OffboardingWarnings } from "./offboarding.ts";
import type { OwnershipRefusals, OwnershipWarnings } from "./ownership.ts";
import type { QuotaWarnings } from "./quotas.ts";
import type { RouteRefusals, RouteWarnings } from "./routes.ts";
import type { StackRefusals, StackWarnings } from "./stacks.ts";
import type { SuspensionWarnings } from "./suspension.ts";
import type { UncheckedWarnings } from "./unchecked.ts";
import type { Reported } from "./wording.ts";

export type RefusalFacts = AccessRefusals &
  ClusterRefusals &
  ContentsRefusals &
  OffboardingRefusals &
  OwnershipRefusals &
  RouteRefusals &
  StackRefusals;

/** Facts of the warnings, which don't stop a run. */
export type WarningFacts = AccessWarnings &
  ClusterWarnings &
  ComingFacts &
  ContentsWarnings &
  DriftWarnings &
  OffboardingWarnings &
  OwnershipWarnings &
  QuotaWarnings &
  RouteWarnings &
  StackWarnings &
  SuspensionWarnings &
  UncheckedWarnings;

/** Facts by code. The code identifies a finding to programs, whatever its text is. */
type AllFacts = WarningFacts & RefusalFacts & NoticeFacts;

type Code = keyof AllFacts;

export type WarningCode = keyof WarningFacts;

export type RefusalCode = keyof RefusalFacts;

/** Something to report about a run, as data; the catalogue has the texts. Default: a warning. */
export type Finding<C extends Code = WarningCode> = {
  readonly [K in C]: Reported<AllFacts[K]> & { readonly code: K };
}[C];

export type Refusal = Finding<RefusalCode>;
