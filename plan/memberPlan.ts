import type { ClusterSnapshot } from "../cluster/read/snapshot/snapshot.ts";
import type { Member } from "../config/member/member.ts";
import type { Settings } from "../config/settings.ts";
import { type Classified, classifiedIn } from "./compare/classify.ts";
import { type BucketsPlan, bucketsPlan } from "./decisions/buckets/plan.ts";
import { managedServiceOf } from "./decisions/managedService.ts";
import { isOpening, type Outlook, readinessOf } from "./decisions/readiness.ts";
import { starterImageOf } from "./decisions/starter/image.ts";
import { starterPlan } from "./decisions/starter/plan.ts";
import { rollingObjects } from "./decisions/starter/rollingUpdate.ts";
import { takenObjects } from "./decisions/takenObjects.ts";
import { isIgnored, isRead, type MemberObjects, memberObjects } from "./manifest/manifest.ts";
import type { MemberFacts, PlannedObject, ReadObject } from "./manifest/row.ts";
import { routeObstacle } from "./routes/routeObstacle.ts";

/** Parts of the snapshot that decide about a member. */
export type Decisive = Pick<
  ClusterSnapshot,
  "managedObjects" | "services" | "unread" | "taken" | "forgotten" | "now" | "mutates" | "copies"
>;

/** Decisions about one member from one look at the cluster, and the objects that follow from them. */
export interface MemberPlan extends MemberFacts, MemberObjects {
  /** Decisions that the objects follow from. */
  readonly facts: MemberFacts;
  /** Whether the path opens; for a member without a route, whether anything blocks the other objects. */
  readonly readiness: Outlook;
  /** Reason why the path can't open even with a fit Service; undefined if there is none. */
  readonly obstacle: string | undefined;
  readonly buckets: BucketsPlan;
  /** Whether a run opens the path. */
  readonly isOpen: boolean;
  /** All objects that a run registers now. */
  readonly objects: readonly PlannedObject[];
  /** Objects that the program reads and that the run writes. */
  readonly declared: readonly ReadObject[];
  /** All objects that the program reads, compared with the live ones. */
  readonly classified: readonly Classified<ReadObject>[];
}

export function planMember(member: Member, settings: Settings, snapshot: Decisive): MemberPlan {
  const starter = starterPlan(member, settings, snapshot);
  const buckets = bucketsPlan(member, starter, settings, snapshot);
  const service = managedServiceOf(member, starter, settings, snapshot);
  const obstacle = routeObstacle({ member, starter, buckets }, settings, snapshot);
  const readiness = readinessOf({ member, service, obstacle }, settings, snapshot);
  const facts = {
    member,
    settings,
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
    facts,
    readiness,
    obstacle,
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
