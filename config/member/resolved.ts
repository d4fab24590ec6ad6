import { imagesWith } from "../images.ts";
import { networkAccessOf } from "../network.ts";
import { givenTo } from "../objects/objects.ts";
import { defaultOffboarding } from "../offboarding.ts";
import { groupOf, usernameOf } from "../oidc.ts";
import { routeOf } from "../route/memberRoute.ts";
import type { MemberContext } from "../rule.ts";
import { defaultTimeZone, ownWakesOf, type SleepSchedule } from "../schedule.ts";
import type { SettingsEntry } from "../settings.ts";
import { policyWithout } from "../storage/bucketPolicy.ts";
import { type MemberBucket, memberBucketsOf } from "../storage/buckets.ts";
import { dayOf } from "../values/days.ts";
import type { Valid } from "../values/issues.ts";
import { defined, present } from "../values/maps.ts";
import { memberCiOf } from "./ci.ts";
import { hasAccess, type Member, type MemberEntry, type Standing } from "./member.ts";
import { memberLimitsOf } from "./quotas.ts";
import { type MemberType, type StarterMode, typeEntryOf, withTraits } from "./types.ts";

export const defaultStarterMode = "off";

export function resolvedMember(
  entry: Valid<MemberEntry> & Pick<MemberEntry, "member">,
  type: MemberType,
  { settings, entry: stack, today, isListElsewhere }: MemberContext,
): Member {
  const expires = entry.expires === undefined ? undefined : dayOf(entry.expires);
  const route = routeOf(entry, stack);
  const ofType = typeEntryOf(entry, stack);
  const images = entry.images ?? ofType?.images ?? stack.images;
  const starter = starterModeOf(entry, stack);
  const own = { name: entry.member, type: withTraits(type, entry), labels: entry.labels ?? {} };
  const schedule = scheduleOf(entry, stack);
  const ci = memberCiOf(entry.ci, stack.ci);
  const adopt = entry.adopt ?? stack.offboarding?.adopt ?? defaultOffboarding.adopt;
  const objects = givenTo(own, entry.subject ?? entry.member, route, settings);
  return {
    ...own,
    ...defined({ ci, route, expires, schedule }),
    ...defined({
      images: images && (starter === undefined ? present(images) : imagesWith(present(images), settings.starter.image)),
      starter: starter && { mode: starter },
      objects: objects.length === 0 ? undefined : objects,
      needsMark: adopt && isListElsewhere ? (true as const) : undefined,
    }),
    limits: memberLimitsOf(entry, stack),
    network: networkAccessOf(entry.network, ofType?.network, stack.network),
    username: usernameOf(entry.subject ?? entry.member, settings),
    groups: (entry.groups ?? []).flatMap((group) => (group === undefined ? [] : [groupOf(group, settings)])),
    ...memberBucketsOf(entry, stack),
    standing: standingOf(entry, expires, today),
    adopt,
    protect: entry.protect ?? stack.offboarding?.protect ?? defaultOffboarding.protect,
  };
}

/** Days in this form sort by time. `suspended` takes precedence over a date, since it lasts longer. */
function standingOf({ suspended }: Valid<MemberEntry>, expires: string | undefined, today: string): Standing {
  if (suspended === true) {
    return "suspended";
  }
  return expires !== undefined && expires < today ? "expired" : "active";
}

function scheduleOf(entry: Valid<MemberEntry>, stack: Valid<SettingsEntry>): SleepSchedule | undefined {
  const own = entry.schedule ?? typeEntryOf(entry, stack)?.schedule ?? stack.schedule;
  if (own === undefined || own === "off") {
    return undefined;
  }
  const { sleep, wake, timeZone = defaultTimeZone } = own;
  // Incomplete schedules are mistakes, which end the run.
  return sleep === undefined || wake === undefined
    ? undefined
    : { sleep, wake, timeZone, ...defined({ ownWakes: ownWakesOf(own) }) };
}

/**
 * Members, without access for those who are suspended or expired: removes their given keys from the policies and grants
 * of all buckets. Keys that kubecamp makes need no removal: they open nothing meanwhile.
 */
export function withoutClosedKeys(members: readonly Member[]): readonly Member[] {
  const closed: ReadonlySet<string> = new Set(
    members
      .filter((member) => !hasAccess(member))
      .flatMap(({ bucketKeys }) => [bucketKeys?.accessKeyId, bucketKeys?.principal])
      .flatMap((key) => (key ? [key] : [])),
  );
  return closed.size === 0
    ? members
    : members.map((member) =>
        member.buckets === undefined
          ? member
          : { ...member, buckets: member.buckets.map((bucket) => bucketWithout(bucket, closed)) },
      );
}

function bucketWithout({ policy, grants, ...bucket }: MemberBucket, closed: ReadonlySet<string>): MemberBucket {
  const left = policy === undefined ? undefined : policyWithout(policy, closed);
  return {
    ...bucket,
    ...(grants === undefined ? {} : { grants: grants.filter(({ grantee }) => !closed.has(grantee)) }),
    ...(left === undefined ? {} : { policy: left }),
  };
}

export function starterModeOf(entry: Valid<MemberEntry>, stack: Valid<SettingsEntry>): StarterMode | undefined {
  const mode = entry.starter ?? typeEntryOf(entry, stack)?.starter ?? stack.starter?.mode ?? defaultStarterMode;
  return mode === "off" ? undefined : mode;
}
