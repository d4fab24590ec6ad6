import {
  defaultInternet,
  defaultOffboarding,
  defaultReadiness,
  defaultStarter,
  defaultStarterMode,
  defaultTimeZone,
} from "../defaults.ts";
import { imageFilter, imageRules } from "../images.ts";
import type {
  NetworkAccess,
  NetworkAccessEntry,
  NetworkException,
  NetworkExceptionEntry,
  NetworkPort,
} from "../network.ts";
import { givenTo } from "../objects/objects.ts";
import { memberPlaceholder, type PlannedRoute, withMember } from "../route/route.ts";
import type { SleepSchedule } from "../schedule.ts";
import type { Settings, SettingsEntry, StarterSettings } from "../settings.ts";
import { memberBucketsOf } from "../storage/buckets.ts";
import type { Valid } from "../values/issues.ts";
import { defined, given, present } from "../values/maps.ts";
import { dayOf } from "../values/values.ts";
import { memberCiOf } from "./ci.ts";
import type { Member, MemberEntry, Standing, StarterMode } from "./member.ts";
import { type MemberType, memberLimitsOf, typeEntryOf, withTraits } from "./types.ts";

/** Context in which a member's entry is resolved. */
export interface MemberContext {
  readonly settings: Settings;
  readonly entry: Valid<SettingsEntry>;
  /** Day of the run in UTC, as `2026-12-31`. */
  readonly today: string;
  /** Whether the list is in a file of its own, which other people may edit. */
  readonly isListElsewhere: boolean;
}

/** The member that an entry describes, with the type's and the stack's settings applied. */
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
      images: images && allowed(present(images), starter, settings),
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

/** A member with a starter app may run its image. */
const allowed = (images: readonly string[], starter: StarterMode | undefined, settings: Settings) =>
  starter === undefined ? images : withStarterImage(images, settings.starter.image);

/** The name of a subject at the API server. */
export const usernameOf = (subject: string, { oidc }: Settings) => oidc.usernamePrefix + subject;

/** The name of a group at the API server. */
export const groupOf = (group: string, { oidc }: Settings) => oidc.groupsPrefix + group;

/** Days in this form sort by time. `suspended` takes precedence over a date, since it lasts longer. */
function standingOf({ suspended }: Valid<MemberEntry>, expires: string | undefined, today: string): Standing {
  if (suspended === true) {
    return "suspended";
  }
  return expires !== undefined && expires < today ? "expired" : "active";
}

/** When a member sleeps: the member's own schedule, the type's or the stack's; undefined for never. */
function scheduleOf(entry: Valid<MemberEntry>, stack: Valid<SettingsEntry>): SleepSchedule | undefined {
  const own = entry.schedule ?? typeEntryOf(entry, stack)?.schedule ?? stack.schedule;
  if (own === undefined || own === "off") {
    return undefined;
  }
  const { sleep, wake, timeZone = defaultTimeZone } = own;
  // Incomplete schedules are mistakes, which end the run.
  return sleep === undefined || wake === undefined ? undefined : { sleep, wake, timeZone };
}

/** A member's allowed connections: those of all entries together, and `internet` from the first entry that has it. */
function networkAccessOf(...entries: readonly (Valid<NetworkAccessEntry> | undefined)[]): NetworkAccess {
  const all = (way: "egress" | "ingress") => entries.flatMap((entry) => present(entry?.[way]).map(exceptionOf));
  return {
    internet: entries.find((entry) => entry?.internet !== undefined)?.internet ?? defaultInternet,
    egress: all("egress"),
    ingress: all("ingress"),
  };
}

function exceptionOf({ cidr, namespace = "", podLabels = {}, ports }: Valid<NetworkExceptionEntry>): NetworkException {
  return {
    peer: cidr === undefined ? { namespace, podLabels: podLabels as Record<string, string> } : { cidr },
    ports: present(ports).map((port) => {
      const [number, protocol = "TCP"] = String(port).split("/");
      return { port: Number(number), protocol: protocol as NetworkPort["protocol"] };
    }),
  };
}

/**
 * The settings of starter apps with every default filled in.
 * @param inFolder content of `pagesFolder`; undefined if that is not set
 */
export function starterSettingsOf(
  entry: Valid<SettingsEntry>["starter"],
  inFolder?: Readonly<Record<string, string>>,
): StarterSettings {
  const pages = inFolder ?? (entry?.pages as StarterSettings["pages"]);
  return {
    ...defaultStarter,
    ...given(entry ?? {}, "image", "port", "replicas", "cpuMillicores", "memoryMiB"),
    ...(pages === undefined ? {} : { pages }),
  };
}

/** Mode of a member's starter app: the member's own, the type's or the stack's; undefined for none. */
export function starterModeOf(entry: Valid<MemberEntry>, stack: Valid<SettingsEntry>): StarterMode | undefined {
  const mode = entry.starter ?? typeEntryOf(entry, stack)?.starter ?? stack.starter?.mode ?? defaultStarterMode;
  return mode === "off" ? undefined : mode;
}

/** The images, with the starter's added unless it is allowed already. */
export function withStarterImage(images: readonly string[], image: string): readonly string[] {
  const rules = imageRules(images);
  return rules === undefined || imageFilter(rules)(image) ? images : [...images, image];
}

const readinessKeys = ["mode", "requires", "timeoutSeconds", "targetPort"] as const;

/** A member's host, path and condition to open; undefined for a member without a public path. */
export function routeOf(
  { member, route }: Valid<MemberEntry> & Pick<MemberEntry, "member">,
  stack: Valid<SettingsEntry>,
): PlannedRoute | undefined {
  if (route === false) {
    return undefined;
  }
  const hosts = stack.route?.host ?? "";
  const template = stack.route?.path ?? (hosts.includes(memberPlaceholder) ? "/" : `/${memberPlaceholder}`);
  return {
    host: route?.host ?? withMember(hosts, member),
    path: route?.path ?? withMember(template, member),
    readiness: {
      ...defaultReadiness,
      ...given(stack.route?.readiness ?? {}, ...readinessKeys),
      ...given(route?.readiness ?? {}, ...readinessKeys),
    },
  };
}
