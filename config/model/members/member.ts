import type { NetworkAccess } from "../routes/network.ts";
import type { PlannedRoute } from "../routes/route.ts";
import type { StarterMode } from "../settings/starter.ts";
import type { GivenKeys, MemberBucket } from "../settings/storage.ts";
import type { MemberCi } from "./ci.ts";
import type { GivenObject } from "./givenObjects.ts";
import type { MemberLimits } from "./limits.ts";
import type { MemberType } from "./memberTypes.ts";
import type { SleepSchedule } from "./schedule.ts";
import type { MemberStaff } from "./staff.ts";

/**
 * Suspended and expired members keep their objects and data, and lose access, route and running pods. Members who are
 * asleep also keep their access. The configuration says who has a schedule, and the plan who is asleep (`atMoment`).
 */
export type Standing = "active" | "asleep" | "suspended" | "expired";

/** A sleep, as ISO 8601 has its times. */
export interface Sleep {
  readonly since: string;
  readonly until: string;
}

/** One person. */
export interface Member {
  /** A DNS label: the member's name and namespace. */
  readonly name: string;
  /** The type's traits, with the member's own changes. */
  readonly type: MemberType;
  /** Labels that selectors of the settings refer to. */
  readonly labels: Readonly<Record<string, string>>;
  readonly limits: MemberLimits;
  /** Allowed images of their pods, as patterns such as `docker.io/library/nginx:1.*`. Default: any. */
  readonly images?: readonly string[];
  readonly network: NetworkAccess;
  /** User name at the API server, prefix included. */
  readonly username: string;
  /** Group names at the API server, prefix included. */
  readonly groups: readonly string[];
  /** The public path; absent for a member without one. */
  readonly route?: PlannedRoute;
  /** Absent for a member without a starter app. */
  readonly starter?: { readonly mode: StarterMode };
  /** Absent for a member without staff. */
  readonly staff?: MemberStaff;
  /** Absent for a member without CI jobs. */
  readonly ci?: MemberCi;
  /** Absent for a member without buckets. */
  readonly buckets?: readonly MemberBucket[];
  /** Keys for the member's buckets. Default: keys that kubecamp or the driver makes. */
  readonly bucketKeys?: GivenKeys;
  /** Number of the keys that kubecamp makes; a new number gives a new secret. */
  readonly bucketKeyGeneration?: number;
  /** Objects that the platform gives them. Default: none. */
  readonly objects?: readonly GivenObject[];
  readonly standing: Standing;
  /** Last day of the environment in UTC, as `2026-12-31`. Default: none. */
  readonly expires?: string;
  /** When they sleep. Default: never. */
  readonly schedule?: SleepSchedule;
  /** Present if the standing is `asleep`. */
  readonly sleep?: Sleep;
  /** Whether to take over objects of theirs that kubecamp did not make. */
  readonly adopt: boolean;
  /** Whether `adopt` counts only if an admin has marked the namespace: the list is in a file of its own. Default: no. */
  readonly needsMark?: true;
  /** Whether to refuse their removal. */
  readonly protect: boolean;
  /** The entry as JSON, to keep on the cluster; absent without `offboarding.graceDays`, and if a part is secret. */
  readonly entry?: string;
  /** For a suspended member who has left the list: first day on which a run removes them, as `2026-12-31`. */
  readonly leaves?: string;
  /** Whether the day is over, and the member is kept until they are archived (`offboarding.archive`). */
  readonly isUnarchived?: true;
}
