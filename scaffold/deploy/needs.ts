import { cosiKinds, isCosiKind } from "../../cluster/kinds/cosi.ts";
import { allOf, type Kind, resourceOf } from "../../cluster/kinds/kinds.ts";
import { stackKinds, stackKindsWhere } from "../../cluster/kinds/stackKinds.ts";
import { unfinishedPods } from "../../cluster/read/namespaceContents.ts";
import { requestOf } from "../../cluster/read/stackObjects.ts";
import { othersViews } from "../../config/model/memberTypes.ts";
import type { Configuration } from "../../config/model/settings.ts";
import type { PlannedKind, PlannedObject } from "../../plan/manifest/row.ts";
import { clusterRole } from "../../plan/objects/clusterRole.ts";
import { planMembers } from "../../plan/plan.ts";
import { watchedKinds } from "../../watch/live/watchedKinds.ts";
import { grants, type Right, rightOfPath, rightsIn } from "./rights.ts";

/** An object that runs declare, with the name that it has whoever's it is. */
interface Declared {
  readonly kind: PlannedKind;
  readonly group: string;
  /** Undefined where it is the member's, or of the member's choice. */
  readonly name: string | undefined;
  readonly isBesideController: boolean;
  /** Whether it is there as long as the stack, or its namespace, is. */
  readonly isStaying: boolean;
}

/** All objects that runs of a stack declare. */
export function declaredIn({ members, settings }: Configuration): Declared[] {
  const nothing = { managedObjects: new Map(), services: new Map() };
  const plan = planMembers(members, settings, nothing);
  const placed = (object: PlannedObject, name: string | undefined, isStaying: boolean): Declared => ({
    kind: object.kind,
    group: groupOf(object.apiVersion),
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

const groupOf = (apiVersion: string) => (apiVersion.includes("/") ? (apiVersion.split("/")[0] ?? "") : "");

/** What paths call a kind. */
export const resourceOfAny = (kind: PlannedKind) => (isCosiKind(kind) ? cosiKinds[kind] : resourceOf(kind));

/** What is asked in order to do something with an object by its name. */
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

/** Read whatever the stack has, or where decisions need it: what is behind Services, and what is lost with a namespace. */
const always = [allOf("Namespace"), allOf("Service"), allOf("EndpointSlice")];
const counted = [unfinishedPods, allOf("PersistentVolumeClaim")];

/** What every run reads of the cluster. */
function readIn(stack: Configuration): Right[] {
  const { settings } = stack;
  const selected = stackKindsWhere().flatMap((kind) =>
    stackKinds[kind].selections
      .filter(({ when }) => when?.(stack, kind, stackKinds[kind]) ?? true)
      .map((selection) => requestOf(kind, selection, settings)),
  );
  // Which one it is, the settings say.
  const gateways = settings.route.kind === "gateway" ? [allOf("Gateway")] : [];
  return [...always, ...counted, ...selected, ...gateways].map(({ path }) => rightOfPath("list", path));
}

/** What the watch follows, and lists whenever it has lost track. */
function followedIn({ members, settings }: Configuration): Right[] {
  const paths = watchedKinds(settings, members).map(({ path, fieldSelector }) =>
    fieldSelector === undefined ? path : `${path}?fieldSelector=${encodeURIComponent(fieldSelector)}`,
  );
  return [...always.map(({ path }) => path), ...paths].flatMap((path) => [
    rightOfPath("list", path),
    rightOfPath("watch", path),
  ]);
}

/** What a preview asks: what runs read, and each object that is in Pulumi's state. */
export function previewNeeds(stack: Configuration): Right[] {
  const read = readIn(stack);
  const looked = declaredIn(stack).flatMap((object) => byName(["get"], object, stack.settings.route.namespace));
  // Whoever may list all of a kind need not be held to names to look at one.
  const all = looked.map((get) => ({
    ...(read.find((list) => grants([{ ...list, verb: "get" }], get)) ?? get),
    verb: "get",
  }));
  return [...read, ...all];
}

/** What members' views of others grant: whoever writes that has to have it. */
export const grantedIn = ({ settings }: Configuration): Right[] =>
  othersViews.flatMap((view) => rightsIn(clusterRole(view, settings).rules));

/** Whose up it is that writes it: no policy judges what is written to policies. */
const isAdmins = ({ kind }: { readonly kind: PlannedKind }): boolean =>
  kind === "ValidatingAdmissionPolicy" || kind === "ValidatingAdmissionPolicyBinding";

/** What the watch and its runs ask. */
export function watchNeeds(stack: Configuration): Right[] {
  const { namespace } = stack.settings.route;
  return [
    ...readIn(stack),
    ...followedIn(stack),
    ...declaredIn(stack).flatMap((object) => writtenOf(object, namespace)),
    ...grantedIn(stack),
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
    // A role holds rights that the watch has not itself.
    ...(kind === "Role" ? byName(["escalate", "bind"], object, namespace) : []),
  ];
}

/** What it takes to write an admin's part as well. */
export const adminsNeeds = (stack: Configuration): Right[] => [
  ...declaredIn(stack)
    .filter(isAdmins)
    .flatMap((object) => byName(["create", "patch"], object, "")),
  // The parameters of one of them, which the API server has whoever writes it be able to read.
  ...["get", "list"].map((verb) => ({ verb, group: "scheduling.k8s.io", resource: "priorityclasses" })),
];

const right = (verb: string, kind: Kind): Right => rightOfPath(verb, allOf(kind).path);

/** Beside objects: whoever is suspended has no running pods, and routes have Events. */
const ofRuns: readonly Right[] = [
  right("deletecollection", "Pod"),
  ...["create", "list", "watch"].map((verb) => right(verb, "Event")),
];
