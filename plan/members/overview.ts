import type { KubernetesObject, V1Deployment, V1ResourceQuota } from "@kubernetes/client-node";
import { hostPathsOf, unservedOf } from "../../cluster/read/hostPaths.ts";
import type { OverviewLists } from "../../cluster/read/overviewLists.ts";
import { liveServices } from "../../cluster/read/services.ts";
import {
  expiresLabel,
  leavesLabel,
  memberLabel,
  protectedLabel,
  routeLabel,
  sleepAnnotation,
  stackLabel,
  standingLabel,
  starterAnnotation,
  typeLabel,
  urlAnnotation,
} from "../../config/names/labels.ts";
import { routeNeedsOf } from "../../config/names/routeNeeds.ts";
import type { MemberRoute } from "../../config/route/memberRoute.ts";
import { compare } from "../../config/values/sentences.ts";
import { serviceReadiness } from "../decisions/readiness.ts";
import type { StarterStatus } from "../decisions/starterPlan.ts";
import { heldText } from "../live/ending.ts";
import {
  type BucketOverview,
  bucketsByNamespace,
  type CiOverview,
  ciByNamespace,
  type StaffOverview,
  staffByNamespace,
} from "./overviewParts.ts";

/**
 * - `ready`: the path is open, or the member is to have none
 * - `pending`: the path is not open, or its Service is no longer fit
 * - `asleep`: the last `pulumi up` has stopped the pods and removed the route
 * - `suspended`, `expired`: the last `pulumi up` has removed access and route
 * - `leaving`: the namespace is being deleted
 */
type MemberState = "ready" | "pending" | "asleep" | "suspended" | "expired" | "leaving";

/** Use of one resource in a quota, as quantities of the API server. */
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
  /** Undefined if somebody has taken the label off. */
  readonly type: string | undefined;
  readonly state: MemberState;
  /** Reason why the member is not ready, or the effect of the next run. */
  readonly reason: string | undefined;
  readonly route: MemberRoute | undefined;
  readonly expires: string | undefined;
  /** First day on which a run removes a member who has left the list, likewise. */
  readonly leaves: string | undefined;
  readonly protected: boolean;
  readonly starter: StarterStatus | undefined;
  readonly buckets: readonly BucketOverview[];
  readonly staff: readonly StaffOverview[];
  readonly ci: readonly CiOverview[];
  readonly pods: number;
  /** By the quota's resource names, such as `limits.cpu`; undefined without a quota. */
  readonly usage: Readonly<Record<string, Usage>> | undefined;
}

/** Who have a namespace, sorted by stack and name. @param today the day in UTC, as `2026-12-31` */
export function overviewOf(lists: OverviewLists, today: string): MemberOverview[] {
  const services = liveServices(lists.services, lists.endpointSlices);
  const routes = Map.groupBy(lists.doors.filter(isStaying), ownerOf);
  const quotas = Map.groupBy(lists.quotas.filter(isStaying), namespaceOf);
  const starters = new Map(lists.starters.filter(isStaying).map((app) => [namespaceOf(app), app]));
  const buckets = bucketsByNamespace(lists.buckets);
  const bindings = lists.bindings.filter(isStaying);
  const [staff, ci] = [staffByNamespace(bindings), ciByNamespace(bindings)];
  const pods = Map.groupBy(lists.pods.filter(isStaying), namespaceOf);
  return lists.namespaces
    .map((namespace): MemberOverview => {
      const name = namespace.metadata?.name ?? "";
      const labels = labelsOf(namespace);
      const member = labels[memberLabel] ?? name;
      const open = (routes.get(ownerOf(namespace)) ?? []).find((object) => placeOf(object) !== undefined) ?? {};
      const route = placeOf(open);
      const readiness = serviceReadiness({ name: member }, routeNeedsOf(labels[routeLabel]), { services });
      const unfit = "reason" in readiness ? readiness.reason : undefined;
      return {
        stack: labels[stackLabel] ?? "",
        member,
        namespace: name,
        type: labels[typeLabel],
        ...stateOf(namespace, { route, unfit, unserved: unservedOf(open), today }),
        route,
        expires: labels[expiresLabel],
        leaves: labels[leavesLabel],
        protected: labels[protectedLabel] === "true",
        starter: starterOf(starters.get(name)),
        buckets: buckets.get(name) ?? [],
        staff: staff.get(name) ?? [],
        ci: ci.get(name) ?? [],
        pods: pods.get(name)?.length ?? 0,
        usage: usageOf(quotas.get(name) ?? []),
      };
    })
    .sort((a, b) => compare(a.stack, b.stack) || compare(a.member, b.member));
}

interface Standing {
  readonly route: MemberRoute | undefined;
  readonly unfit: string | undefined;
  readonly unserved: string | undefined;
  readonly today: string;
}

/** Goes by the cluster, not by the list of members, which only the next run applies. */
function stateOf(
  namespace: KubernetesObject,
  { route, unfit, unserved, today }: Standing,
): Pick<MemberOverview, "state" | "reason"> {
  const labels = labelsOf(namespace);
  const expires = labels[expiresLabel];
  const standing = labels[standingLabel];
  if (!isStaying(namespace)) {
    return { state: "leaving", reason: `the namespace is being deleted${heldText(namespace)}` };
  }
  if (standing === "asleep") {
    return { state: "asleep", reason: namespace.metadata?.annotations?.[sleepAnnotation] ?? "asleep" };
  }
  if (standing === "suspended") {
    const leaves = labels[leavesLabel];
    return { state: "suspended", reason: leaves === undefined ? "suspended" : `leaving, removed on ${leaves}` };
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

/** Pulumi's state still has a route object that was deleted by hand; only a refresh gets it made again. */
const closedThoughFit =
  "its Service is fit: the next 'pulumi up' opens the path; if it does not, 'pulumi up --refresh'";

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

/** Prefers the URL annotation, since the path of some Ingresses is a pattern. */
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
