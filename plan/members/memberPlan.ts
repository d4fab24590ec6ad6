import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { Member } from "../../config/member/member.ts";
import type { Settings } from "../../config/settings.ts";
import { type BucketsPlan, bucketsPlan } from "../decisions/bucketsPlan.ts";
import { takenObjects } from "../decisions/givenObjects.ts";
import { managedServiceOf } from "../decisions/managedService.ts";
import { isOpening, type Outlook, routeReadiness } from "../decisions/readiness.ts";
import { rollingObjects } from "../decisions/rollingUpdate.ts";
import { routeObstacle, serversFor } from "../decisions/routeObstacle.ts";
import { starterImageOf, starterPlan } from "../decisions/starterPlan.ts";
import { type Classified, classifiedIn } from "../live/classify.ts";
import { isIgnored, isRead, type MemberObjects, memberObjects } from "../rows/manifest.ts";
import type { MemberFacts, PlannedObject, ReadObject } from "../rows/row.ts";

export type Decisive = Pick<
  ClusterSnapshot,
  "managedObjects" | "services" | "unread" | "taken" | "forgotten" | "now" | "mutates" | "copies"
>;

export interface MemberPlan extends MemberFacts, MemberObjects {
  /** Whether the path opens; for a member without a route, whether anything blocks the other objects. */
  readonly readiness: Outlook;
  readonly obstacle: string | undefined;
  /** Why one of those that serve the path can't, or both. */
  readonly unservedBy: string | undefined;
  readonly buckets: BucketsPlan;
  readonly isOpen: boolean;
  readonly objects: readonly PlannedObject[];
  /** Objects that the program reads and that the run writes. */
  readonly declared: readonly ReadObject[];
  readonly classified: readonly Classified<ReadObject>[];
}

export function planMember(member: Member, settings: Settings, snapshot: Decisive): MemberPlan {
  const starter = starterPlan(member, settings, snapshot);
  const buckets = bucketsPlan(member, starter, settings, snapshot);
  const service = managedServiceOf(member, starter, settings, snapshot);
  const servers = serversFor(member, settings, snapshot);
  const { free, why } = servers;
  const obstacle = routeObstacle({ member, starter, buckets, servers }, settings, snapshot);
  const readiness = routeReadiness({ member, service, obstacle }, settings, snapshot);
  const facts = {
    member,
    settings,
    servers: free.length === 0 || why === undefined ? undefined : free,
    service: service !== undefined && "service" in service ? service.service : undefined,
    starter,
    starterImage: starterImageOf(member, starter, settings, snapshot),
    buckets,
    takenObjects: takenObjects(member, settings, snapshot),
    rolling: starter && rollingObjects(member, snapshot),
    unread: snapshot.unread?.isLeftOut ? snapshot.unread : undefined,
    now: snapshot.now,
  } satisfies Record<keyof MemberFacts, unknown>;
  const isOpen = member.route !== undefined && isOpening(readiness);
  const { base, route } = memberObjects(facts);
  const objects = isOpen ? [...base, ...route] : base;
  const read = once(() => objects.filter(isRead));
  const declared = once(() => read().filter((object) => !isIgnored(object)));
  const classified = once(() => read().map((object) => classifiedIn(object, snapshot, facts)));
  return {
    ...facts,
    readiness,
    obstacle,
    unservedBy: why,
    isOpen,
    base,
    route,
    objects,
    get declared() {
      return declared();
    },
    get classified() {
      return classified();
    },
  };
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
