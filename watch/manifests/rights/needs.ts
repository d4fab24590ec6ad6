import { cosiKinds, isCosiKind } from "../../../cluster/kinds/cosi.ts";
import { allOf, type Kind, resourceOf } from "../../../cluster/kinds/kinds.ts";
import { stackKindsOf } from "../../../cluster/kinds/stackKinds.ts";
import { classKindsOf } from "../../../cluster/read/capacity/classes.ts";
import { hardwareKindsOf } from "../../../cluster/read/capacity/hardware.ts";
import { unfinishedPods } from "../../../cluster/read/namespaceContents.ts";
import { requestsOf, selectionsFor } from "../../../cluster/read/snapshot/stackObjects.ts";
import { apiGroup } from "../../../config/model/apiGroup.ts";
import { othersViews } from "../../../config/model/members/memberTypes.ts";
import type { Configuration } from "../../../config/model/settings/settings.ts";
import type { PlannedKind, PlannedObject } from "../../../plan/manifest/row.ts";
import { clusterRole } from "../../../plan/objects/rbac/clusterRole.ts";
import { planMembers } from "../../../plan/plan.ts";
import { watchedKinds } from "../../live/watchedKinds.ts";
import { archivingNeeds } from "./archiving.ts";
import { grants, type Right, rightOfPath, rightsIn } from "./rights.ts";

/** An object that runs declare, under the same name for all members. */
interface Declared {
  readonly kind: PlannedKind;
  readonly group: string;
  /** Undefined if the name is the member's, or chosen by the member. */
  readonly name: string | undefined;
  readonly isBesideController: boolean;
  /** Whether it stays as long as the stack or its namespace. */
  readonly isStaying: boolean;
}

/** All objects that runs of a stack declare. */
export function declaredIn({ members, settings }: Configuration): Declared[] {
  const nothing = { managedObjects: new Map(), services: new Map(), mutates: true };
  const plan = planMembers(members, settings, nothing);
  const placed = (object: PlannedObject, name: string | undefined, isStaying: boolean): Declared => ({
    kind: object.kind,
    group: apiGroup(object.apiVersion),
    name,
    isBesideController: object.namespace === settings.route.namespace,
    isStaying,
  });
  const ofMembers = plan.members.flatMap(({ member, base, route }) =>
    member.standing === "active" && member.route !== undefined ? [...base, ...route] : base,
  );
  const alike = Map.groupBy(ofMembers, ({ kind, name, namespace }) =>
    [kind, name, namespace === settings.route.namespace].join(),
  );
  return [
    ...plan.shared.map((object) => placed(object, object.name, true)),
    ...[...alike.values()].flatMap(([object, ...others]) =>
      object === undefined
        ? []
        : [placed(object, others.length > 0 ? object.name : undefined, others.length + 1 === members.length)],
    ),
  ];
}

/** The resource in API paths, such as `networkpolicies`. */
export const resourceOfAny = (kind: PlannedKind) => (isCosiKind(kind) ? cosiKinds[kind] : resourceOf(kind));

/** Rights to these verbs on an object by its name. */
const byName = (verbs: readonly string[], { kind, group, name, isBesideController }: Declared, namespace: string) =>
  verbs.map(
    (verb): Right => ({
      verb,
      group,
      resource: resourceOfAny(kind),
      ...(name === undefined ? {} : { name }),
      ...(isBesideController ? { namespace } : {}),
    }),
  );

/** Kinds read for every stack, and kinds read for some decisions: a namespace's contents, which its deletion loses. */
const always = [allOf("Namespace"), allOf("Service"), allOf("EndpointSlice")];
const counted = [unfinishedPods, allOf("PersistentVolumeClaim")];

/** Rights to everything that a run lists. */
function readIn(stack: Configuration): Right[] {
  const { settings } = stack;
  const selected = stackKindsOf(settings).flatMap((kind) =>
    selectionsFor({ ...stack, mutates: true }, kind).flatMap((selection) => requestsOf(kind, selection, settings)),
  );
  // The settings name the Gateway; the list is of all.
  const gateways = settings.route.kind === "gateway" ? [allOf("Gateway")] : [];
  const classes = [...classKindsOf(settings), ...hardwareKindsOf(settings)].map((kind) => allOf(kind));
  return [...always, ...counted, ...selected, ...gateways, ...classes].map(({ path }) => rightOfPath("list", path));
}

/** Rights to the lists and watches of the watch. */
function followedIn({ members, settings }: Configuration): Right[] {
  const paths = watchedKinds(settings, members, true).map(({ path, fieldSelector }) =>
    fieldSelector === undefined ? path : `${path}?fieldSelector=${encodeURIComponent(fieldSelector)}`,
  );
  return [...always.map(({ path }) => path), ...paths].flatMap((path) => [
    rightOfPath("list", path),
    rightOfPath("watch", path),
  ]);
}

/** Rights of a preview: to a run's lists, and to get each object in Pulumi's state. */
export function previewNeeds(stack: Configuration): Right[] {
  const read = readIn(stack);
  const looked = declaredIn(stack).flatMap((object) => byName(["get"], object, stack.settings.route.namespace));
  // If an identity may list a whole kind, its right to get needs no names.
  const all = looked.map((get) => ({
    ...(read.find((list) => grants([{ ...list, verb: "get" }], get)) ?? get),
    verb: "get",
  }));
  return [...read, ...all];
}

/** Rights that the roles for others' namespaces grant: RBAC lets only an identity that has them write these roles. */
export const grantedIn = ({ settings }: Configuration): Right[] =>
  othersViews.flatMap((view) => rightsIn(clusterRole(view, settings).rules));

/** Objects left to an admin's up: no admission policy applies to writes of admission policies. */
const isAdmins = ({ kind }: { readonly kind: PlannedKind }): boolean =>
  /^(Mutating|Validating)AdmissionPolicy(Binding)?$/.test(kind);

/** Rights of the watch and its runs. */
export function watchNeeds(stack: Configuration): Right[] {
  const { namespace } = stack.settings.route;
  return [
    ...readIn(stack),
    ...followedIn(stack),
    ...declaredIn(stack).flatMap((object) => writtenOf(object, namespace)),
    ...grantedIn(stack),
    ...archivingNeeds(stack),
    ...(stack.members.some(({ schedule }) => schedule !== undefined) ? ofWaking : []),
    ...ofRuns,
  ];
}

function writtenOf(object: Declared, namespace: string): Right[] {
  const { kind, isStaying } = object;
  if (isAdmins(object)) {
    return byName(["get"], object, namespace);
  }
  return [
    ...byName(["get", "create", "patch"], object, namespace),
    // The plugin lists and watches a kind until an object of it is gone (provider/pkg/await/await.go, Deletion).
    ...(isStaying ? [] : byName(["list", "watch"], { ...object, name: undefined }, namespace)),
    ...(isStaying ? [] : byName(["delete"], object, namespace)),
    // A role grants rights that the watch does not have.
    ...(kind === "Role" ? byName(["escalate", "bind"], object, namespace) : []),
  ];
}

/** Further rights for writing the objects left to an admin. */
export const adminsNeeds = (stack: Configuration): Right[] => [
  ...declaredIn(stack)
    .filter(isAdmins)
    .flatMap((object) => byName(["create", "patch"], object, "")),
  // Parameters of one of the policies: the API server lets only an identity that may read them write it.
  ...["get", "list"].map((verb) => ({ verb, group: "scheduling.k8s.io", resource: "priorityclasses" })),
];

const right = (verb: string, kind: Kind): Right => rightOfPath(verb, allOf(kind).path);

/** Rights to have controllers make the pods of members who wake. */
const ofWaking = (["DaemonSet", "ReplicaSet", "ReplicationController", "StatefulSet"] as const).flatMap(
  (kind): Right[] => {
    const { resource, ...of } = right("patch", kind);
    return [{ ...of, resource: `${resource}/status` }, right("list", kind)];
  },
);

/** Rights besides declared objects: a suspended member's pods are deleted, and routes have Events. */
const ofRuns: readonly Right[] = [
  right("deletecollection", "Pod"),
  ...["create", "list", "watch"].map((verb) => right(verb, "Event")),
];
