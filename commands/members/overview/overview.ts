import type {
  KubernetesObject,
  V1Deployment,
  V1EndpointSlice,
  V1ResourceQuota,
  V1Service,
} from "@kubernetes/client-node";
import { compare } from "../../../cluster/kinds/compare.ts";
import { backendPortOf, hostPathsOf, unservedOf } from "../../../cluster/read/hostPaths.ts";
import { liveServices } from "../../../cluster/read/services.ts";
import type { MemberRoute } from "../../../config/model/settings.ts";
import {
  expiresLabel,
  memberLabel,
  protectedLabel,
  routeLabel,
  stackLabel,
  standingLabel,
  starterAnnotation,
  typeLabel,
  urlAnnotation,
} from "../../../naming/labels.ts";
import { serviceReadiness } from "../../../plan/decisions/readiness.ts";
import type { StarterStatus } from "../../../plan/decisions/starter/status.ts";
import { type BucketLists, type BucketOverview, bucketsByNamespace } from "./buckets.ts";

/**
 * - `ready`: the path is open, or the member is to have none
 * - `pending`: the path is not open, or leads to a Service that is not fit any more
 * - `suspended`, `expired`: the last `pulumi up` has taken access and route
 * - `leaving`: the namespace is being deleted
 */
export type MemberState = "ready" | "pending" | "suspended" | "expired" | "leaving";

/** What is used of a quota: quantities as the API server writes them. */
export interface Usage {
  /** Undefined until the API server has counted. */
  readonly used: string | undefined;
  readonly hard: string;
}

/** A member as the cluster shows them, without any stack's configuration. */
export interface MemberOverview {
  readonly stack: string;
  readonly member: string;
  readonly namespace: string;
  /** Undefined where a version of kubecamp made the namespace that did not note it. */
  readonly type: string | undefined;
  readonly state: MemberState;
  /** Why it is not ready, or what the next run will change. */
  readonly reason: string | undefined;
  /** Where the path is open. */
  readonly route: MemberRoute | undefined;
  /** Last day, as `2026-12-31`. */
  readonly expires: string | undefined;
  readonly protected: boolean;
  /** The starter app that was made for them, as long as it is there; undefined for who has none. */
  readonly starter: StarterStatus | undefined;
  readonly buckets: readonly BucketOverview[];
  /** Pods that have neither succeeded nor failed, and are not being deleted. */
  readonly pods: number;
  /** By the quota's names, such as `limits.cpu`; undefined without a quota. */
  readonly usage: Readonly<Record<string, Usage>> | undefined;
}

/** What the API server has: all Services and unfinished pods, and of the other kinds those with our labels. */
export interface OverviewLists {
  readonly namespaces: readonly KubernetesObject[];
  readonly quotas: readonly V1ResourceQuota[];
  readonly services: readonly V1Service[];
  /** None where no member's Service is headless. */
  readonly endpointSlices: readonly V1EndpointSlice[];
  /** What has members' paths, of every kind that the cluster knows. */
  readonly doors: readonly KubernetesObject[];
  readonly pods: readonly KubernetesObject[];
  /** Starter apps of kubecamp's. */
  readonly starters: readonly V1Deployment[];
  readonly buckets: BucketLists;
}

/**
 * Each member who has a namespace, by stack and name.
 * @param today the day in UTC, as `2026-12-31`
 */
export function overviewOf(lists: OverviewLists, today: string): MemberOverview[] {
  const services = liveServices(lists.services, lists.endpointSlices);
  const routes = Map.groupBy(lists.doors.filter(isStaying), ownerOf);
  const quotas = Map.groupBy(lists.quotas.filter(isStaying), namespaceOf);
  const starters = new Map(lists.starters.filter(isStaying).map((app) => [namespaceOf(app), app]));
  const buckets = bucketsByNamespace(lists.buckets);
  const pods = Map.groupBy(lists.pods.filter(isStaying), namespaceOf);
  return lists.namespaces
    .map((namespace): MemberOverview => {
      const name = namespace.metadata?.name ?? "";
      const labels = labelsOf(namespace);
      const member = labels[memberLabel] ?? name;
      const open = (routes.get(ownerOf(namespace)) ?? []).find((object) => placeOf(object) !== undefined) ?? {};
      const route = placeOf(open);
      const readiness = serviceReadiness(
        { name: member },
        { port: backendPortOf(open) ?? 80, requires: "service" },
        { services },
      );
      const unfit = "reason" in readiness ? readiness.reason : undefined;
      return {
        stack: labels[stackLabel] ?? "",
        member,
        namespace: name,
        type: labels[typeLabel],
        ...stateOf(namespace, { route, unfit, unserved: unservedOf(open), today }),
        route,
        expires: labels[expiresLabel],
        protected: labels[protectedLabel] === "true",
        starter: starterOf(starters.get(name)),
        buckets: buckets.get(name) ?? [],
        pods: pods.get(name)?.length ?? 0,
        usage: usageOf(quotas.get(name) ?? []),
      };
    })
    .sort((a, b) => compare(a.stack, b.stack) || compare(a.member, b.member));
}

/** What decides whether a member's path is open. */
interface Standing {
  readonly route: MemberRoute | undefined;
  /** Why their Service is not fit. */
  readonly unfit: string | undefined;
  /** Why nobody serves what has their path. */
  readonly unserved: string | undefined;
  readonly today: string;
}

/** What the cluster shows, and not what the list of members says: that is what the next run will make of it. */
function stateOf(
  namespace: KubernetesObject,
  { route, unfit, unserved, today }: Standing,
): Pick<MemberOverview, "state" | "reason"> {
  const labels = labelsOf(namespace);
  const expires = labels[expiresLabel];
  const standing = labels[standingLabel];
  if (!isStaying(namespace)) {
    return { state: "leaving", reason: "the namespace is being deleted" };
  }
  if (standing === "suspended") {
    return { state: "suspended", reason: "suspended" };
  }
  if (standing === "expired") {
    return { state: "expired", reason: expires === undefined ? "expired" : `expired: the last day was ${expires}` };
  }
  const over =
    expires !== undefined && expires < today
      ? `the last day was ${expires}: the next 'pulumi up' takes access and route`
      : undefined;
  if (labels[routeLabel] === "none" && route === undefined) {
    return { state: "ready", reason: over };
  }
  if (unfit !== undefined) {
    const reason = route === undefined ? unfit : `${unfit}: the next 'pulumi up' closes the path`;
    return { state: "pending", reason: over ?? reason };
  }
  if (unserved !== undefined) {
    return { state: "pending", reason: over ?? unserved };
  }
  return route === undefined ? { state: "pending", reason: over ?? closedThoughFit } : { state: "ready", reason: over };
}

/** What somebody deleted of a route is still in Pulumi's state, and made anew only when that is read again. */
const closedThoughFit =
  "its Service is fit: the next 'pulumi up' opens the path; if it does not, 'pulumi up --refresh'";

/** As it was made, and as it is. */
function starterOf(app: V1Deployment | undefined): StarterStatus | undefined {
  const mode = app?.metadata?.annotations?.[starterAnnotation];
  return mode !== "once" && mode !== "kept"
    ? undefined
    : { mode, replicas: app?.spec?.replicas ?? 1, available: app?.status?.availableReplicas ?? 0 };
}

function usageOf(quotas: readonly V1ResourceQuota[]): MemberOverview["usage"] {
  if (quotas.length === 0) {
    return undefined;
  }
  return Object.fromEntries(
    quotas.flatMap(({ spec, status }) =>
      Object.entries({ ...spec?.hard, ...status?.hard }).map(([resource, hard]): [string, Usage] => [
        resource,
        { used: status?.used?.[resource], hard },
      ]),
    ),
  );
}

/** The address that it says it opens: the path of some Ingresses is a pattern. */
function placeOf(object: KubernetesObject): MemberRoute | undefined {
  const url = URL.parse(object.metadata?.annotations?.[urlAnnotation] ?? "");
  return url === null
    ? hostPathsOf(object).find(({ host }) => host !== "*")
    : { host: url.host, path: url.pathname.replace(/\/*$/, "") || "/" };
}

function isStaying({ metadata }: KubernetesObject): boolean {
  return metadata?.deletionTimestamp === undefined;
}

function ownerOf(object: KubernetesObject): string {
  const labels = labelsOf(object);
  return `${labels[stackLabel]}/${labels[memberLabel]}`;
}

function labelsOf({ metadata }: KubernetesObject): Readonly<Record<string, string>> {
  return metadata?.labels ?? {};
}

function namespaceOf({ metadata }: KubernetesObject): string {
  return metadata?.namespace ?? "";
}
