import { z } from "zod";
import type { NetworkAccess } from "../network.ts";
import type { GivenObject } from "../objects/objects.ts";
import { memberRouteSchema, type PlannedRoute } from "../route/memberRoute.ts";
import type { SleepSchedule } from "../schedule.ts";
import type { MemberStaff } from "../staff.ts";
import type { GivenKeys } from "../storage/bucketKeys.ts";
import { bucketsSchema, defaultBucketKeyGeneration, type MemberBucket } from "../storage/buckets.ts";
import { date } from "../values/days.ts";
import { checked } from "../values/issues.ts";
import { amount, flag, identity, inherited, labels, optional, text } from "../values/values.ts";
import { type MemberCi, memberCiSchema } from "./ci.ts";
import { limits, type MemberLimits } from "./limits.ts";
import { furtherSettings, type MemberType, type StarterMode, traits } from "./types.ts";

/**
 * Suspended and expired members keep their objects and data, and lose access, route and running pods. Members who are
 * asleep also keep their access. The configuration says who has a schedule, and the plan who is asleep (`atMoment`).
 */
export type Standing = "active" | "asleep" | "suspended" | "expired";

export interface Sleep {
  readonly since: string;
  readonly until: string;
}

/** An answer to a member's ConfigMap `wake`, which a run then removes. */
export interface WakeAnswer {
  /** Until when they are awake, and when they woke so in this sleep, with spaces between. Undefined: they may not. */
  readonly granted?: { readonly until: string; readonly wakes: string };
}

export interface Member {
  /** A DNS label: the member's name and namespace. */
  readonly name: string;
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
  readonly route?: PlannedRoute;
  readonly starter?: { readonly mode: StarterMode };
  readonly staff?: MemberStaff;
  readonly ci?: MemberCi;
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
  readonly schedule?: SleepSchedule;
  readonly sleep?: Sleep;
  /** What to answer a member who asks to be awake, as `atMoment` finds it. Default: they ask nothing. */
  readonly wakeAnswer?: WakeAnswer;
  /** Whether to take over objects of theirs that kubecamp did not make. */
  readonly adopt: boolean;
  /** Whether `adopt` counts only if an admin has marked the namespace: the list is in a file of its own. Default: no. */
  readonly needsMark?: true;
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

const serviceSuffix = "-svc";

/** The longest name that is a DNS label with `-svc` after it. */
const longestMemberName = 63 - serviceSuffix.length;

export const memberSchema = z.strictObject(
  {
    member: text
      .regex(/^[a-z]([-a-z0-9]*[a-z0-9])?$/, "must be a DNS label: a-z, 0-9 and '-', starting with a letter")
      .max(longestMemberName, `must have at most ${longestMemberName} characters, so that '-svc' fits behind it`)
      .meta({
        description:
          "Name of member, namespace and path: a DNS label of at most 59 characters, a letter first, and [no domain](../security/network.md#limits).",
        examples: ["alice"],
      }),
    type: text.meta({
      description: "`admin`, `user`, `guest-user`, or one of `memberTypes`.",
      examples: ["user"],
    }),
    labels: optional(
      labels,
      "Labels by which settings select members. On the cluster are those that [`labels`](#labels) names.",
      {
        default: {},
        examples: [{ course: "cs101" }],
      },
    ),
    ...limits,
    subject: optional(identity, "User name in the OIDC token, without prefix. Default: the member's name.", {
      examples: ["alice@example.org"],
    }),
    groups: optional(
      z.array(identity, "must be a list of groups").max(100, "must have at most 100 groups"),
      "OIDC groups with the same access, without prefix.",
      { default: [], examples: [["class-a"]] },
    ),
    ci: optional(
      memberCiSchema,
      "CI jobs that deploy into the member's namespace, without a stored secret. They need `home: edit`. See [pipelines.md](../run/pipelines.md).",
      { default: [], examples: [[{ issuer: "github", repository: "alice/site", ref: "refs/heads/main" }]] },
    ),
    route: optional(
      z.union([z.literal(false), memberRouteSchema], "must be false, or a map with host, path and readiness"),
      "Differences from the stack's `route`; `false` for no path. Default: the stack's.",
    ),
    suspended: optional(flag, "Whether access and route are closed and pods stopped; data stays.", { default: false }),
    expires: optional(date, "Last day, in UTC; then the member is suspended. Default: no end.", {
      examples: ["2026-12-31"],
    }),
    ...inherited(traits, "as the type"),
    ...furtherSettings("the member", "the type's or the stack's", "type's and the stack's"),
    buckets: optional(
      bucketsSchema,
      "The member's buckets; they need `storage`. See [buckets.md](../run/buckets.md).",
      { default: [], examples: [[{ name: "data" }, { name: "site", versioning: true, reclaimPolicy: "Delete" }]] },
    ),
    bucketKeyGeneration: optional(
      amount(1, 1_000_000, "generations"),
      "Another number replaces the secret key that kubecamp made for the buckets.",
      { default: defaultBucketKeyGeneration },
    ),
    adopt: optional(
      flag,
      "Whether to take over an existing namespace with its contents; in `membersFile`, [marked](../start/adopt.md) ones only. Default: `offboarding.adopt`.",
    ),
    protect: optional(flag, "Whether a run refuses to remove the member. Default: `offboarding.protect`."),
  },
  "must be a member: at least 'member' and 'type'",
);

/** A member: the keys of the operator that kubecamp replaces, and more. */
export type MemberEntry = z.input<typeof memberSchema>;

const withTypes = (types: readonly string[]) =>
  memberSchema.extend({ type: z.string(`must be one of ${types.join(", ")}`).min(1, "must not be empty") });

/** Schemas by the names of types. zod compiles each new schema, which takes longer than checking a short list with it. */
const made = new Map<string, ReturnType<typeof withTypes>>();

/** The schema of members with the known types, so that a message about a missing type can list them. */
function memberSchemaWith(types: readonly string[] | undefined) {
  if (types === undefined) {
    return memberSchema;
  }
  const key = JSON.stringify(types);
  const schema = made.get(key) ?? withTypes(types);
  made.set(key, schema);
  return schema;
}

/** Checks a member's entry by itself. @param types undefined if they are not known */
export const checkedEntry = (value: unknown, types: readonly string[] | undefined, at: readonly PropertyKey[]) =>
  checked(memberSchemaWith(types), value, { at, figures: limits });
