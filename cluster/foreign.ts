import type { Member, Settings } from "../config/settings.ts";
import { memberLabel, stackLabel } from "../naming/labels.ts";
import type { LiveObject } from "./snapshot.ts";

type Labelled = Pick<LiveObject, "labels">;

/** Whether a stack's own run has made an object, or taken it over. */
export function isOurs({ labels }: Labelled, { stack }: Pick<Settings, "stack">): boolean {
  return labels["app.kubernetes.io/managed-by"] === "kubecamp" && labels[stackLabel] === stack;
}

/**
 * Why an object under one of our names is not ours to write to, if it isn't.
 * @param what such as `namespace 'bob'`
 * @param member whose name it has; none for what all members share
 */
export function foreign(what: string, live: Labelled | undefined, settings: Settings, member?: Member): string[] {
  if (live === undefined) {
    return [];
  }
  const { [stackLabel]: stack, [memberLabel]: owner } = live.labels;
  if (stack !== undefined && stack !== settings.stack) {
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
