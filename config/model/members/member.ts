import type { NetworkAccess } from "../routes/network.ts";
import type { PlannedRoute } from "../routes/route.ts";
import type { GivenKeys, MemberBucket } from "../settings/storage.ts";
import type { MemberCi } from "./ci.ts";
import type { GivenKind } from "./givenKinds.ts";
import type { MemberLimits } from "./limits.ts";
import type { MemberType } from "./memberTypes.ts";
import type { SleepSchedule } from "./schedule.ts";

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

/**
 * Treatment of a starter app after it is made: `once` leaves it to the member, with all changes; `kept` restores the
 * declared state.
 */
export type StarterMode = "once" | "kept";

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

/** Whether a member has access to the cluster and to buckets: also while asleep. */
export const hasAccess = ({ standing }: Pick<Member, "standing">): boolean =>
  standing === "active" || standing === "asleep";

/** Whether a member may have pods, and so a path. */
export const mayRun = ({ standing }: Pick<Member, "standing">): boolean => standing === "active";

/** Whether a member has a ResourceQuota: by type, or because a suspended or expired member may run no pod. */
export function hasQuota({ type, standing }: Pick<Member, "type" | "standing">): boolean {
  return type.quota || !mayRun({ standing });
}

/** Some of a stack's members: those that fit each of its keys. */
export interface Selector {
  /** Names of types. Default: any. */
  readonly types?: readonly string[];
  /** Labels that a member has, all of them. Default: any. */
  readonly labels: Readonly<Record<string, string>>;
  /** Names. Default: any. */
  readonly members?: readonly string[];
}

/**
 * Rights of staff in a member's namespace: to look (`view`), also to run commands in pods and restart (`assist`), or what
 * the member may do (`edit`).
 */
export type StaffRole = "view" | "assist" | "edit";

/** A user or a group at the API server, prefix included. */
export interface StaffSubject {
  readonly kind: "User" | "Group";
  readonly name: string;
}

/** Staff of some members. */
export interface Staff {
  readonly subject: StaffSubject;
  readonly role: StaffRole;
  readonly over: Selector;
}

/** Staff of one member: each subject once, in their strongest role; no role without subjects. */
export type MemberStaff = Readonly<Partial<Record<StaffRole, readonly StaffSubject[]>>>;

/** Roles of staff; each has all rights of those before it. */
export const staffRoles = ["view", "assist", "edit"] as const satisfies readonly StaffRole[];

/** A manifest for members, with placeholders such as `${member}`. */
export interface Manifest {
  readonly kind: GivenKind;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** All but `apiVersion`, `kind` and `metadata`; empty for a copy. */
  readonly content: Readonly<Record<string, unknown>>;
  /** Namespace of the live object of that kind and name to copy. Default: it is no copy. */
  readonly copyOf?: string;
  /** Whether pods use it to pull images without asking for it. */
  readonly isPullSecret?: true;
  /** Whether it is the member's own once a run has made it. */
  readonly isTheirs?: true;
}

/** Manifests of one entry of `objects`. */
export interface GivenObjects {
  /** Index in `objects`. */
  readonly index: number;
  readonly for: Selector;
  readonly manifests: readonly Manifest[];
}

/** A manifest as a member gets it, with all placeholders filled in. */
export interface GivenObject extends Manifest {
  /** Index in `objects`. */
  readonly index: number;
  /** Index in the entry's manifests. */
  readonly at: number;
}
