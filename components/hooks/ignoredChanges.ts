import * as pulumi from "@pulumi/pulumi";
import { type Kind, kindOfType } from "../../cluster/kinds/kinds.ts";
import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { Member } from "../../config/member/member.ts";
import { isCustomKind, titledKind } from "../../config/names/customKinds.ts";
import { appliedAnnotation } from "../../config/names/labels.ts";
import { logicalNames } from "../../config/names/logicalNames.ts";
import { storageProviderType } from "../../config/names/urns.ts";
import { isEnding } from "../../plan/live/ending.ts";
import { isUnread } from "../../plan/live/unread.ts";

/**
 * Keeps Pulumi's state for what a preview could not read of live objects: the applied annotation, a starter app's
 * update strategy, all of a Service made for a member. Every run keeps objects in a namespace that is being deleted,
 * which can't be changed any more. Call it before anything is registered.
 */
export function ignoreStandingChanges(
  members: readonly Member[],
  snapshot: Pick<ClusterSnapshot, "unread" | "managedObjects">,
): void {
  const ending = new Set(members.filter((member) => isEnding(member, snapshot)).map(({ name }) => name));
  if (snapshot.unread !== undefined || ending.size > 0) {
    pulumi.runtime.registerStackTransformation(({ type, name, props, opts }) => ({
      props,
      opts: withStanding(opts, endingOptions(type, name, ending) ?? standing(type, name, snapshot)),
    }));
  }
}

/** A change would be wasted, and the object may be gone before Pulumi gets to it. */
export function endingOptions(
  type: string,
  name: string,
  ending: ReadonlySet<string>,
): pulumi.CustomResourceOptions | undefined {
  const [member = "", part] = name.split("/");
  return type.startsWith("kubernetes:") && part !== undefined && ending.has(member)
    ? { ignoreChanges: ["*"], replacementTrigger: null }
    : undefined;
}

function withStanding(opts: pulumi.ResourceOptions, more: pulumi.CustomResourceOptions): pulumi.ResourceOptions {
  const ignoreChanges = [...new Set([...(opts.ignoreChanges ?? []), ...(more.ignoreChanges ?? [])])];
  return { ...opts, ...more, ...(ignoreChanges.length === 0 ? {} : { ignoreChanges }) };
}

/** A type does not tell what the resource of a custom kind is called. */
const isUnreadKind = (kind: string, snapshot: Pick<ClusterSnapshot, "unread">): boolean =>
  isCustomKind(kind)
    ? [...(snapshot.unread?.kinds.keys() ?? [])].some((each) => titledKind(each) === kind)
    : isUnread(kind as Kind, snapshot);

export function standing(
  type: string,
  name: string,
  snapshot: Pick<ClusterSnapshot, "unread">,
): pulumi.CustomResourceOptions {
  if (type === storageProviderType && snapshot.unread?.offline === true) {
    // The stack's name on the server contains the cluster's ID.
    return { ignoreChanges: ["stack"] };
  }
  const kind = kindOfType(type);
  if (!type.startsWith("kubernetes:") || !isUnreadKind(kind, snapshot)) {
    return {};
  }
  if (kind !== "Service") {
    const applied = `metadata.annotations["${appliedAnnotation}"]`;
    return { ignoreChanges: kind === "Deployment" ? [applied, "spec.strategy"] : [applied] };
  }
  const [member = ""] = name.split("/");
  // The Service's selector was taken from the live object, and so is every other field.
  return name === logicalNames.service({ name: member })
    ? { ignoreChanges: ["metadata", "spec"], replacementTrigger: null }
    : {};
}
