import { type ClassKind, type ClusterSnapshot, liveOf } from "../../cluster/read/snapshot.ts";
import type { MemberType } from "../../config/member/types.ts";
import { bucketsAnnotation, memberLabel, stackLabel } from "../../config/names/labels.ts";
import { namespaceName } from "../../config/names/names.ts";
import { serversOf } from "../../config/route/route.ts";
import type { Settings } from "../../config/settings.ts";
import { driverOf } from "../../objects/route/drivers/drivers.ts";
import { domainObstacle } from "../decisions/clusterDomain.ts";
import { jobsElsewhere } from "../findings/sharedJobs.ts";
import { routeStands } from "../live/openRoutes.ts";
import { foreign, isOurs } from "../live/owner.ts";
import { waitForEnd } from "../members/ending.ts";
import type { MemberPlan } from "../members/memberPlan.ts";
import type { Planned } from "../members/plan.ts";
import { takeoverObstacles, unmarkedTakeover } from "../members/takeover.ts";
import { isRead, policyObjectsOf, possibleObjects } from "../rows/manifest.ts";
import type { PlannedObject } from "../rows/row.ts";
import type { Finding, Refusal } from "../words/finding.ts";

/** The provider takes over existing objects, so that a killed run can be finished: foreign ones must be found first. */
export function obstacles(plan: Planned<ClusterSnapshot>): Refusal[] {
  const { members, settings, shared, snapshot } = plan;
  const elsewhere = anotherCluster(settings, snapshot);
  if (elsewhere !== undefined) {
    return [elsewhere];
  }
  return [
    ...noController(settings, snapshot),
    ...domainObstacle(settings, snapshot),
    ...foreignShared(shared, settings, snapshot),
    ...lostServer(settings, snapshot),
    ...unknownClasses(plan),
    ...jobsElsewhere(plan),
    ...members.flatMap((each) => memberObstacles(each, snapshot)),
  ];
}

export function anotherCluster(
  { cluster }: Settings,
  { id }: Pick<ClusterSnapshot, "id">,
): Finding<"anotherCluster"> | undefined {
  return cluster.id === undefined || cluster.id === id
    ? undefined
    : { code: "anotherCluster", facts: { id, declared: cluster.id } };
}

/** The namespace belongs to the controller, so kubecamp doesn't make it. */
function noController(settings: Settings, snapshot: ClusterSnapshot): Finding<"noController">[] {
  return serversOf(settings).flatMap((server, index): Finding<"noController">[] => {
    const { namespace } = server.route;
    const controller = snapshot.namespaces.get(namespace);
    const facts = {
      namespace,
      setting: index === 0 ? "route.namespace" : "route.also.namespace",
      isTerminating: controller !== undefined,
      install: driverOf(server).install,
    };
    return controller?.terminating === false ? [] : [{ code: "noController", facts }];
  });
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
    // Without a route, a run doesn't touch objects with its names.
    ...(member.route === undefined ? [] : foreignBeside(plan, snapshot)),
    ...(member.adopt ? takeoverObstacles(plan) : foreignAtHome(plan, snapshot)),
  ];
  if (found.length > 0) {
    return found;
  }
  const isEnding = namespace?.terminating === true && !isOurs(namespace, settings);
  return isEnding ? [waitForEnd(member)] : unmarkedTakeover(plan, snapshot);
}

/** Foreign objects with names of shared ones. A policy that a run has applied is ours, even with other labels. */
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

/** Former routes whose names foreign objects have now: Pulumi deletes by name. @param last names in Pulumi's state */
export function lostRoutes(
  { members, settings, snapshot }: Planned<ClusterSnapshot>,
  last: ReadonlySet<string> | undefined,
): Finding<"lostRoute">[] {
  return members.flatMap((plan) =>
    plan.member.route === undefined && routeStands(plan.member, { unread: { ...nothingElse, last } })
      ? foreignBeside(plan, snapshot).map((found) => ({
          ...found,
          code: "lostRoute",
          facts: { foreign: found.facts, stack: settings.stack, isStateKnown: last !== undefined },
        }))
      : [],
  );
}

const nothingElse = { offline: false, kinds: new Map() };

/** Foreign objects beside the ingress controller or the Gateway with names of a member's route, open or closed. */
function foreignBeside({ member, settings, route }: MemberPlan, snapshot: ClusterSnapshot): Finding<"foreign">[] {
  return route
    .filter(({ namespace }) => namespace !== namespaceName(member))
    .flatMap((object) => foreign(object, liveOf(object, snapshot), settings, member));
}

/** A run would overwrite these, and later delete them. What members can make themselves stops none: it is left out. */
function foreignAtHome({ member, settings, classified }: MemberPlan, snapshot: ClusterSnapshot): Finding<"foreign">[] {
  const name = namespaceName(member);
  const home = snapshot.namespaces.get(name);
  return home === undefined || !isOurs(home, settings)
    ? []
    : classified
        .filter(({ object, standing }) => object.namespace === name && standing === "foreign")
        .flatMap(({ object, live }) => foreign(object, live, settings, member));
}

const named: Readonly<Record<ClassKind, (type: MemberType) => readonly string[]>> = {
  RuntimeClass: ({ runtimeClasses }) => runtimeClasses?.allowed ?? [],
  StorageClass: ({ storage = {} }) => Object.keys(storage),
};

/** Classes that members may use and that the cluster does not have: no pod would start, and no claim be bound. */
export function unknownClasses({
  members,
  snapshot: { classes = {} },
}: Planned<Pick<ClusterSnapshot, "classes">>): Finding<"unknownClass">[] {
  return (Object.keys(named) as ClassKind[]).flatMap((kind) => {
    const known = classes[kind];
    const uses = members.flatMap(({ member }) => named[kind](member.type).map((name) => ({ name, member })));
    return [...Map.groupBy(uses, ({ name }) => name)]
      .filter(([name]) => known?.has(name) === false)
      .map(([name, all]) => ({
        code: "unknownClass",
        facts: { kind, name, members: all.map(({ member }) => member.name), known: [...(known ?? [])].sort() },
      }));
  });
}

/** Without the S3 server in the settings, Pulumi would delete or close buckets, and no warning says what is lost. */
export function lostServer(
  { stack, storage }: Pick<Settings, "stack" | "storage">,
  { managedObjects }: Pick<ClusterSnapshot, "managedObjects">,
): Finding<"bucketServer">[] {
  if (storage?.kind === "s3") {
    return [];
  }
  const members = [...managedObjects].flatMap(([key, { labels, annotations }]) => {
    const isOne = key.startsWith("Namespace ") && labels[stackLabel] === stack;
    return isOne && annotations[bucketsAnnotation] !== undefined ? [labels[memberLabel] ?? key] : [];
  });
  return members.length === 0 ? [] : [{ code: "bucketServer", facts: { members: members.sort() } }];
}
