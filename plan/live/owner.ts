import { type ObjectName, objectKey } from "../../cluster/kinds/objectName.ts";
import type { ClusterSnapshot, LiveObject } from "../../cluster/read/snapshot.ts";
import type { Member } from "../../config/member/member.ts";
import { homeRoles } from "../../config/member/types.ts";
import { memberLabel, stackLabel } from "../../config/names/labels.ts";
import { namespaceName, roleName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { isOfFamily } from "../../config/shards.ts";
import type { Finding } from "../words/finding.ts";

/** Owner of a live object that has the name of a planned one: the stack, the stack after a takeover, or somebody else. */
export type Whose = "ours" | "toTakeOver" | "foreign";

/** Labels, with the value that a run applied if nobody else can write it. */
type Labelled = Pick<LiveObject, "labels"> & { readonly applied?: string | undefined };

/** Or taken it over. A transferred member's objects keep the old shard's label until the next run. */
export function isOurs({ labels }: Labelled, settings: OfStack): boolean {
  return labels["app.kubernetes.io/managed-by"] === "kubecamp" && isOwnStack(labels[stackLabel], settings);
}

type OfStack = Pick<Settings, "stack" | "shards">;

/** Whether a label names the stack or another shard of its family. */
export function isOwnStack(label: string | undefined, { stack, shards }: OfStack): boolean {
  return label === stack || (label !== undefined && shards !== undefined && isOfFamily(label, shards));
}

/** Stack and member on an object's labels; each undefined if it is this one. */
export function ownerOf({ labels }: Labelled, settings: OfStack, member: Pick<Member, "name"> | undefined) {
  const { [stackLabel]: stack, [memberLabel]: owner } = labels;
  return {
    stack: stack === undefined || isOwnStack(stack, settings) ? undefined : stack,
    member: owner === member?.name ? undefined : owner,
  };
}

/** Whether a run has made it for a member: an object with an applied annotation is theirs, even with other labels. */
export const isMadeFor = ({ name }: Pick<Member, "name">, live: Labelled, settings: OfStack): boolean =>
  live.applied !== undefined || (isOurs(live, settings) && live.labels[memberLabel] === name);

/** What runs have recorded in an annotation of a member's Roles: each type's home has one of its own. */
export const recordedOnRoles = (
  member: Pick<Member, "name">,
  annotation: string,
  { managedObjects }: Pick<ClusterSnapshot, "managedObjects">,
): string[] =>
  homeRoles.flatMap(
    (home) =>
      managedObjects.get(objectKey("Role", roleName(home), namespaceName(member)))?.annotations[annotation] ?? [],
  );

/** What shows that an object at home is the stack's, if not its place: a run's `mark`, or nobody else can have it. */
export type OursBy = "mark" | "always";

export function whoseOf(
  { namespace, oursBy }: { readonly namespace: string | undefined; readonly oursBy?: OursBy | undefined },
  live: Labelled,
  member: Pick<Member, "name" | "adopt">,
  settings: OfStack,
): Whose {
  if (oursBy === "always") {
    return "ours";
  }
  if (member.adopt) {
    return isOurs(live, settings) ? "ours" : "toTakeOver";
  }
  // What a run has applied is ours, even with other labels. The plan leaves out what members can make themselves.
  const isPassing = oursBy === "mark" && live.applied === undefined;
  const isCertain = namespace === namespaceName(member) && !isPassing;
  return isCertain || (isOurs(live, settings) && ownerOf(live, settings, member).member === undefined)
    ? "ours"
    : "foreign";
}

/** Name of an object in refusals, such as `Ingress 'ingress-nginx/bob'`. */
export const objectTitle = ({ kind, name, namespace }: ObjectName): string =>
  `${kind} '${namespace === undefined ? name : `${namespace}/${name}`}'`;

/** Why it is not ours to write; empty if it is. @param object its name, or a title such as `namespace 'bob'` */
export function foreign(
  object: ObjectName | string,
  live: Labelled | undefined,
  settings: OfStack,
  member?: Member,
): Finding<"foreign">[] {
  if (live === undefined) {
    return [];
  }
  const { stack, member: owner } = ownerOf(live, settings, member);
  const adopts = member?.adopt === true;
  const isFine = stack === undefined && owner === undefined && (isOurs(live, settings) || adopts);
  return isFine
    ? []
    : [
        {
          code: "foreign",
          ...(member === undefined ? {} : { member: member.name }),
          object: typeof object === "string" ? object : objectTitle(object),
          facts: { stack, owner, adopts },
        },
      ];
}
