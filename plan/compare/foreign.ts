import type { LiveObject } from "../../cluster/read/snapshot.ts";
import type { Member, Settings } from "../../config/model/settings.ts";
import { isOfFamily } from "../../config/rules/shards.ts";
import { memberLabel, stackLabel } from "../../naming/labels.ts";

type Labelled = Pick<LiveObject, "labels">;

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

/**
 * Why an object under one of our names is not ours to write to, if it isn't.
 * @param what such as `namespace 'bob'`
 * @param member whose name it has; none for what all members share
 */
export function foreign(what: string, live: Labelled | undefined, settings: OfStack, member?: Member): string[] {
  if (live === undefined) {
    return [];
  }
  const { [stackLabel]: stack, [memberLabel]: owner } = live.labels;
  if (stack !== undefined && !isOwnStack(stack, settings)) {
    // The other stack's state has it, and a takeover would not change that.
    const later = member?.adopt === true ? ", which would delete it one day, so that adopt does not take it over" : "";
    const ways = "choose another name, or remove the member from that stack first";
    return [`${what} belongs to stack '${stack}'${later}; a member can be in one stack only: ${ways}`];
  }
  if (owner !== undefined && owner !== member?.name) {
    return [`${what} belongs to member '${owner}'; choose another name`];
  }
  if (isOurs(live, settings) || member?.adopt === true) {
    return [];
  }
  const ways =
    member === undefined
      ? "delete it if nobody needs it"
      : "choose another name, delete it if nobody needs it, or set adopt: true on the member to take it over";
  return [`${what} exists already and is not kubecamp's; ${ways}`];
}
