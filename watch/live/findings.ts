import { isDeepStrictEqual } from "node:util";
import { keyOf, type ManagedObject, objectKey, serviceKey } from "../../cluster/read/snapshot.ts";
import type { Member, Settings } from "../../config/model/settings.ts";
import { memberLabel } from "../../naming/labels.ts";
import { namespaceName, serviceName } from "../../naming/names.ts";
import { type Classified, classify } from "../../plan/compare/classify.ts";
import { isRebound } from "../../plan/compare/difference.ts";
import { type DeclaredObject, type DeclaredObjects, declaredOf, sharedOf } from "../../plan/manifest/declared.ts";
import type { MemberPlan } from "../../plan/memberPlan.ts";
import { ownMembers } from "../../plan/membership/shards.ts";
import { rollingUpdate } from "../../plan/objects/starter/rollingUpdate.ts";
import type { starterDeployment } from "../../plan/objects/starter/starterDeployment.ts";
import type { Planned } from "../../plan/plan.ts";
import type { LiveSnapshot } from "./liveCluster.ts";
import { watchedKinds } from "./watchedKinds.ts";

/** Something that is not as an up would leave it. */
export interface Divergence {
  /** Undefined for what the stack has once, such as a ClusterRole: only a full up mends it. */
  readonly member: string | undefined;
  readonly what: "route opens" | "route closes" | "missing" | "changed";
  /** Key of the object, as `objectKey` has it; of a route, the object that opens it. */
  readonly object?: string;
  /** Whether the up must refresh, since Pulumi's state takes what is gone, or what was changed, for being as it was. */
  readonly refresh: boolean;
}

/**
 * What an up would change, as far as the live cluster shows; nothing when all is as declared. Members' standing is as it
 * was on the day when the configuration was parsed: it must be parsed anew when the day changes.
 */
export function findings({ settings, shared, members: plans, snapshot: live }: Planned<LiveSnapshot>): Divergence[] {
  const members = plans.map(({ member }) => member);
  const own = new Set(ownMembers(members, settings, live));
  const kinds = watchedKinds(settings, members).map(({ kind }) => kind);
  const watched = new Set<string>(["Namespace", "Service", ...kinds]);
  const isWatched = ({ kind }: DeclaredObject) => watched.has(kind);
  return [
    ...sharedOf(shared).flatMap((object) => judged(undefined, object, live)),
    ...plans.flatMap((plan) => {
      const { member } = plan;
      if (!own.has(member)) {
        return [];
      }
      const { made = [], marks = false } = plan.starter ?? {};
      const { base, starter, buckets, route } = declaredBy(member, settings, marks, plan.starterImage);
      const isMade = (key: string) => plan.buckets.made.some((object) => keyOf(object) === key);
      return findingsOf(plan, live, {
        // What is left to the member is no finding, whatever they make of it.
        base: [
          ...base,
          ...starter
            .filter(({ kind }) => made.some((each) => each === kind))
            .map((object) => asItRolls(object, member, settings, live)),
          ...buckets.filter(({ key }) => isMade(key)),
        ],
        route: route.filter(isWatched),
      });
    }),
  ];
}

/** Of a starter app's Deployment, a run declares how pods are replaced by what is live then. */
function asItRolls(object: DeclaredObject, member: Member, settings: Settings, live: LiveSnapshot): DeclaredObject {
  const { spec } = object.args as { readonly spec?: ReturnType<typeof starterDeployment>["spec"] };
  if (object.kind !== "Deployment" || spec === undefined) {
    return object;
  }
  const now = rollingUpdate(member, spec.template, settings, live);
  const strategy = { ...spec.strategy, rollingUpdate: now };
  return isDeepStrictEqual(strategy, spec.strategy)
    ? object
    : { ...object, args: { ...object.args, ...{ spec: { ...spec, strategy } } } };
}

interface AllDeclared extends DeclaredObjects {
  readonly settings: Settings;
  /** Whether the role among them says that there was a starter app. */
  readonly marks: boolean;
  readonly starterImage: string | undefined;
}

function findingsOf(
  plan: MemberPlan,
  live: LiveSnapshot,
  { base, route }: Pick<DeclaredObjects, "base" | "route">,
): Divergence[] {
  const { member } = plan;
  const home = live.namespaces.get(namespaceName(member));
  const routeFindings = findingsOfRoute(plan, live, route);
  // Until it is gone, no up does more than to close the route.
  if (home?.terminating === true) {
    return routeFindings.filter(({ what }) => what === "route closes");
  }
  if (home === undefined) {
    // All that was in it comes back with it.
    const object = objectKey("Namespace", namespaceName(member));
    const closes = routeFindings.filter(({ what }) => what === "route closes");
    return [{ member: member.name, what: "missing", object, refresh: true }, ...closes];
  }
  return [...base.flatMap((object) => judged(member, object, live)), ...managedFindings(plan, live), ...routeFindings];
}

function findingsOfRoute(
  { member, readiness }: MemberPlan,
  live: LiveSnapshot,
  route: readonly DeclaredObject[],
): Divergence[] {
  const door = route.at(-1);
  if (door === undefined) {
    return [];
  }
  const open = route.filter(({ key }) => live.managedObjects.get(key)?.labels[memberLabel] === member.name);
  const found = { member: member.name, object: door.key };
  if (readiness.state !== "ready") {
    return open.length === 0 ? [] : [{ ...found, what: "route closes", refresh: false }];
  }
  if (open.length === 0) {
    const refresh = route.some(({ key }) => live.vanished.has(key));
    return [{ ...found, what: "route opens", refresh }];
  }
  return route.flatMap((part) => judged(member, part, live));
}

/**
 * The Service that kubecamp makes is declared as the member has it, as far as that is fit. The run that finds it missing
 * makes it anew, whatever Pulumi's state says.
 */
function managedFindings({ member, service }: MemberPlan, live: LiveSnapshot): Divergence[] {
  if (service === undefined) {
    return [];
  }
  const namespace = namespaceName(member);
  const name = serviceName(member);
  const object = objectKey("Service", name, namespace);
  const isThere = live.services.has(serviceKey(namespace, name));
  return isThere && !service.isTakenOver && service.mends.length === 0
    ? []
    : [{ member: member.name, what: isThere ? "changed" : "missing", object, refresh: false }];
}

function judged(member: Member | undefined, object: DeclaredObject, { managedObjects }: LiveSnapshot): Divergence[] {
  const live = managedObjects.get(object.key);
  const found = { member: member?.name, object: object.key };
  switch (classified(object, live, member?.adopt === true).verdict) {
    case "missing":
      return [{ ...found, what: "missing", refresh: true }];
    case "fine":
      return [];
    default: {
      // What carries no annotation of ours is applied again only when a refresh shows the difference.
      const refresh = object.kind === "Service" || (live !== undefined && isRebound(object.args, live));
      return [{ ...found, what: "changed", refresh }];
    }
  }
}

/** Compared once of each pair: neither ever changes, and a stack has thousands. */
const compared = new WeakMap<ManagedObject, Classified<DeclaredObject>>();

function classified(object: DeclaredObject, live: ManagedObject | undefined, adopts: boolean): Classified {
  const before = live && compared.get(live);
  if (before?.object.args === object.args) {
    return before;
  }
  const now = classify(object, live, { wasMade: true, adopts });
  if (live !== undefined) {
    compared.set(live, now);
  }
  return now;
}

/** Made once for each configuration: a member of another one is another object. */
const made = new WeakMap<Member, AllDeclared>();

function declaredBy(member: Member, settings: Settings, marks: boolean, starterImage: string | undefined): AllDeclared {
  const before = made.get(member);
  if (before?.settings === settings && before.marks === marks && before.starterImage === starterImage) {
    return before;
  }
  const now = { settings, marks, starterImage, ...declaredOf(member, settings, marks, starterImage) };
  made.set(member, now);
  return now;
}
