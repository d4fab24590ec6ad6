import type { LiveObject, ObjectName } from "../../cluster/read/snapshot.ts";
import type { Member, Settings } from "../../config/model/settings.ts";
import { isOfFamily } from "../../config/rules/shards.ts";
import { memberLabel, stackLabel } from "../../naming/labels.ts";
import { namespaceName } from "../../naming/names.ts";
import type { Finding } from "../messages/finding.ts";

/** What a run makes of a live object under one of its names: it is the stack's, is taken over, or stands in the way. */
export type Whose = "ours" | "toTakeOver" | "foreign";

/** With what a run has written into it, if nobody else can write that. */
type Labelled = Pick<LiveObject, "labels"> & { readonly applied?: string | undefined };

/**
 * Whether a stack's own run has made an object, or taken it over. What another stack of the family has made for a member who
 * is this one's by now was handed over with them, and has that stack's label until the next run.
 */
export function isOurs({ labels }: Labelled, settings: OfStack): boolean {
  return labels["app.kubernetes.io/managed-by"] === "kubecamp" && isOwnStack(labels[stackLabel], settings);
}

type OfStack = Pick<Settings, "stack" | "shards">;

/** Whether a label names the stack, or another of its family. */
export function isOwnStack(label: string | undefined, { stack, shards }: OfStack): boolean {
  return label === stack || (label !== undefined && shards !== undefined && isOfFamily(label, shards));
}

/** Whose labels say that an object is, if not this stack's and this member's. */
export function ownerOf({ labels }: Labelled, settings: OfStack, member: Pick<Member, "name"> | undefined) {
  const { [stackLabel]: stack, [memberLabel]: owner } = labels;
  return {
    stack: stack === undefined || isOwnStack(stack, settings) ? undefined : stack,
    member: owner === member?.name ? undefined : owner,
  };
}

/** Whether a run has made it for a member: what one has applied is theirs, whatever became of its labels since. */
export const isMadeFor = ({ name }: Pick<Member, "name">, live: Labelled, settings: OfStack): boolean =>
  live.applied !== undefined || (isOurs(live, settings) && live.labels[memberLabel] === name);

/**
 * By what a live object at home is the stack's, if not by its place: by what a run has left on it, since not every run declares
 * one, and somebody may have made it meanwhile; or always, since it is nobody else's to have, or can't be taken over.
 */
export type OursBy = "mark" | "always";

/** Whose that is what is live under the name of an object that a run declares for a member. */
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
  // One that a run has applied is ours, whatever became of its labels since. What members can make themselves, whoever plans
  // it leaves out.
  const isPassing = oursBy === "mark" && live.applied === undefined;
  const isCertain = namespace === namespaceName(member) && !isPassing;
  return isCertain || (isOurs(live, settings) && ownerOf(live, settings, member).member === undefined)
    ? "ours"
    : "foreign";
}

/** What refusals call an object, such as `Ingress 'ingress-nginx/bob'`. */
export const titleOf = ({ kind, name, namespace }: ObjectName): string =>
  `${kind} '${namespace === undefined ? name : `${namespace}/${name}`}'`;

/**
 * Why an object under one of our names is not ours to write to, if it isn't.
 * @param object what it is, or is called, such as `namespace 'bob'`
 * @param member whose name it has; none for what all members share
 */
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
          object: typeof object === "string" ? object : titleOf(object),
          facts: { stack, owner, adopts },
        },
      ];
}
