import { type ClusterSnapshot, liveOf } from "../cluster/read/snapshot.ts";
import type { Member, Settings } from "../config/model/settings.ts";
import { isOfRoute } from "../naming/logicalNames.ts";
import { type Classified, classify } from "./compare/classify.ts";
import { whoseOf } from "./compare/foreign.ts";
import { type BucketsPlan, bucketsPlan } from "./decisions/buckets/plan.ts";
import { managedServiceOf } from "./decisions/managedService.ts";
import { isOpening, type Outlook, readinessOf } from "./decisions/readiness.ts";
import { starterImageOf } from "./decisions/starter/image.ts";
import { starterPlan } from "./decisions/starter/plan.ts";
import { isUnread } from "./decisions/unread/unread.ts";
import { isLeft, isRead, memberObjects } from "./manifest/manifest.ts";
import type { MemberFacts, PlannedObject, ReadObject } from "./manifest/row.ts";
import { routeObstacle } from "./routes/routeObstacle.ts";

/** What of the cluster decides about a member. */
export type Decisive = Pick<ClusterSnapshot, "managedObjects" | "services" | "unread" | "taken" | "forgotten">;

/** All that is decided about a member by one look at the cluster, and the objects that follow from it, listed when asked for. */
export interface MemberPlan extends MemberFacts {
  /** Whether their path opens; of one who is to have none, whether anything keeps them from the rest. */
  readonly readiness: Outlook;
  /** Why their path can't open, however fit their Service is; undefined where nothing stands in its way. */
  readonly obstacle: string | undefined;
  readonly buckets: BucketsPlan;
  /** What a run registers whether or not the path is open. */
  readonly base: readonly PlannedObject[];
  /** What their route consists of when it is open, each object after those that it refers to. */
  readonly route: readonly ReadObject[];
  /** All that a run registers now. */
  readonly objects: readonly PlannedObject[];
  /** What of it the program reads, and the run does not leave as it stands. */
  readonly declared: readonly ReadObject[];
  /** All that the program reads, and how it stands. */
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
    isOpen: member.route !== undefined && isOpening(readiness),
    service: service !== undefined && "service" in service ? service.service : undefined,
    starter,
    starterImage: starterImageOf(member, starter, settings, snapshot),
    buckets,
    managedObjects: snapshot.managedObjects,
  } satisfies Record<Exclude<keyof MemberFacts, "now">, unknown>;
  const base = once(() => memberObjects({ ...facts, isOpen: false }));
  const route = once(() =>
    memberObjects({ ...facts, isOpen: true })
      .filter(isOfRoute)
      .filter(isRead),
  );
  const objects = once(() => (facts.isOpen ? [...base(), ...route()] : base()));
  const read = once(() => objects().filter(isRead));
  const declared = once(() => read().filter((object) => !isLeft(object)));
  const classified = once(() =>
    read().map((object) => {
      const live = liveOf(object, snapshot);
      return classify(object, live, {
        isUnread: isUnread(object.kind, snapshot),
        ...(live === undefined ? {} : { whose: whoseOf(object, live, member, settings) }),
        adopts: member.adopt,
      });
    }),
  );
  return {
    ...facts,
    readiness,
    obstacle,
    get base() {
      return base();
    },
    get route() {
      return route();
    },
    get objects() {
      return objects();
    },
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
