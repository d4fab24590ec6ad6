import { type ClusterSnapshot, liveOf } from "../../cluster/read/snapshot.ts";
import type { Settings } from "../../config/model/settings.ts";
import { namespaceName } from "../../naming/names.ts";
import { foreign, isOurs } from "../compare/foreign.ts";
import { lostServer } from "../decisions/buckets/lostServer.ts";
import { domainObstacle } from "../decisions/clusterDomain.ts";
import { isRead, possibleObjects } from "../manifest/manifest.ts";
import { policyObjectsOf } from "../manifest/policyObjects.ts";
import type { PlannedObject } from "../manifest/row.ts";
import type { MemberPlan } from "../memberPlan.ts";
import type { Finding, Refusal } from "../messages/finding.ts";
import type { Planned } from "../plan.ts";
import { driverOf } from "../routes/drivers/drivers.ts";
import { routeStands } from "../routes/openRoutes.ts";
import { takeoverObstacles } from "./adoption/takeover.ts";
import { waitForEnd } from "./ending.ts";

/**
 * What stands in the way of a run: another cluster than the stack's, no namespace of a controller, or objects of
 * somebody else under names that we would write to. The provider takes over what exists (so that a killed run can be
 * finished), which is why nothing foreign may get that far.
 */
export function obstacles({ members, settings, shared, snapshot }: Planned<ClusterSnapshot>): Refusal[] {
  const elsewhere = anotherCluster(settings, snapshot);
  if (elsewhere !== undefined) {
    return [elsewhere];
  }
  return [
    ...noController(settings, snapshot),
    ...domainObstacle(settings, snapshot),
    ...foreignShared(shared, settings, snapshot),
    ...lostServer(settings, snapshot),
    ...members.flatMap((plan) => memberObstacles(plan, snapshot)),
  ];
}

/** That a cluster is not the stack's; undefined if it is, or if the stack doesn't say which is. */
export function anotherCluster(
  { cluster }: Settings,
  { id }: Pick<ClusterSnapshot, "id">,
): Finding<"anotherCluster"> | undefined {
  return cluster.id === undefined || cluster.id === id
    ? undefined
    : { code: "anotherCluster", facts: { id, declared: cluster.id } };
}

/** The namespace belongs to the controller: it is not ours to make. */
function noController(settings: Settings, snapshot: ClusterSnapshot): Finding<"noController">[] {
  const { namespace } = settings.route;
  const controller = snapshot.namespaces.get(namespace);
  if (controller !== undefined && !controller.terminating) {
    return [];
  }
  const facts = { namespace, isTerminating: controller !== undefined, install: driverOf(settings).install };
  return [{ code: "noController", facts }];
}

function memberObstacles(plan: MemberPlan, snapshot: ClusterSnapshot): Refusal[] {
  const { member, settings } = plan;
  const name = namespaceName(member);
  const namespace = snapshot.namespaces.get(name);
  const inNoNamespace = possibleObjects(member, settings)
    .filter(isRead)
    .filter((object) => object.namespace === undefined && object.part !== "namespace");
  const found = [
    ...foreign(`namespace '${name}'`, namespace, settings, member),
    ...inNoNamespace.flatMap((object) => foreign(object, liveOf(object, snapshot), settings, member)),
    // Who is to have no route leaves what stands under its names alone.
    ...(member.route === undefined ? [] : foreignBeside(plan, snapshot)),
    ...(member.adopt ? takeoverObstacles(plan) : foreignAtHome(plan, snapshot)),
  ];
  const isEnding = found.length === 0 && namespace?.terminating === true && !isOurs(namespace, settings);
  return [...found, ...(isEnding ? [waitForEnd(member)] : [])];
}

/** What members share. Of the policies, one that a run has applied is ours, whatever became of its labels since. */
function foreignShared(
  shared: readonly PlannedObject[],
  settings: Settings,
  snapshot: ClusterSnapshot,
): Finding<"foreign">[] {
  const policies = new Set(policyObjectsOf({ shared }));
  return shared.filter(isRead).flatMap((object) => {
    const live = liveOf(object, snapshot);
    const isApplied = live !== undefined && "applied" in live && live.applied !== undefined;
    return isApplied && policies.has(object) ? [] : foreign(object, live, settings);
  });
}

/**
 * Why Pulumi may not take away the routes of members who are to have none by now: somebody else's objects stand under their
 * names, and what the state has is deleted by its name.
 * @param last logical names of what Pulumi's state has; undefined where that is not known
 */
export function lostRoutes(
  plans: Planned<ClusterSnapshot>,
  last: ReadonlySet<string> | undefined,
): Finding<"lostRoute">[] {
  const { settings, snapshot } = plans;
  return withoutRoute(plans).flatMap((plan) =>
    routeStands(plan.member, { unread: { ...nothingElse, last } })
      ? foreignBeside(plan, snapshot).map((found) => ({
          ...found,
          code: "lostRoute",
          facts: { foreign: found.facts, stack: settings.stack, isStateKnown: last !== undefined },
        }))
      : [],
  );
}

/** Those who are to have no route, and under whose names something of somebody else stands beside the controller. */
export function withoutRoute({ members, snapshot }: Planned<ClusterSnapshot>): MemberPlan[] {
  return members.filter((plan) => plan.member.route === undefined && foreignBeside(plan, snapshot).length > 0);
}

const nothingElse = { offline: false, kinds: new Map() };

/** What stands beside the ingress controller under the names of a member's route, whether that is open or not. */
function foreignBeside({ member, settings, route }: MemberPlan, snapshot: ClusterSnapshot): Finding<"foreign">[] {
  if (driverOf(settings).door.place === "home") {
    return [];
  }
  return route.flatMap((object) => foreign(object, liveOf(object, snapshot), settings, member));
}

/**
 * What not every run declares at home: a type without a quota has one while the member is suspended, and a route comes
 * and goes. What somebody made under its name meanwhile would be overwritten, and then lost with it. Whatever members can
 * make themselves stops nobody's run: it is for who plans it to leave it out.
 */
function foreignAtHome({ member, settings, classified }: MemberPlan, snapshot: ClusterSnapshot): Finding<"foreign">[] {
  const name = namespaceName(member);
  const home = snapshot.namespaces.get(name);
  return home === undefined || !isOurs(home, settings)
    ? []
    : classified
        .filter(({ object, standing }) => object.namespace === name && standing === "foreign")
        .flatMap(({ object, live }) => foreign(object, live, settings, member));
}
