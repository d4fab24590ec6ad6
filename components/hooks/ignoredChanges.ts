import * as pulumi from "@pulumi/pulumi";
import type { Kind } from "../../cluster/kinds/kinds.ts";
import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { Member } from "../../config/model/settings.ts";
import { appliedAnnotation } from "../../naming/labels.ts";
import { logicalNames } from "../../naming/logicalNames.ts";
import { isUnread } from "../../plan/decisions/unread/unread.ts";
import { endingMembers } from "../../plan/membership/ending.ts";

/**
 * Has a preview take from Pulumi's state what a run takes from live objects that it could not look at: the annotation that
 * a change by hand makes differ, how pods of a starter app are replaced, and all of a Service that is made for a member.
 * Each would show as a change otherwise. And has every run leave what can't be changed any more, since its namespace is being deleted.
 * To be called before anything is registered, and after the policy gate: that judges what is declared, and lets no run
 * ignore a change.
 * @see https://www.pulumi.com/docs/iac/concepts/resources/options/ignorechanges/
 */
export function ignoreStandingChanges(
  members: readonly Member[],
  snapshot: Pick<ClusterSnapshot, "unread" | "managedObjects">,
): void {
  const ending = endingMembers(members, snapshot);
  if (snapshot.unread !== undefined || ending.size > 0) {
    pulumi.runtime.registerStackTransformation(({ type, name, props, opts }) => ({
      props,
      opts: withStanding(opts, endingOptions(type, name, ending) ?? standing(type, name, snapshot)),
    }));
  }
}

/**
 * Of who has a namespace that is being deleted, all that the cluster has stays as it is: it is not worth a change, and may be
 * gone by the time that Pulumi comes to it.
 */
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

/** What a run leaves as it stands anyway goes on standing. */
export function withStanding(opts: pulumi.ResourceOptions, more: pulumi.CustomResourceOptions): pulumi.ResourceOptions {
  const ignoreChanges = [...new Set([...(opts.ignoreChanges ?? []), ...(more.ignoreChanges ?? [])])];
  return { ...opts, ...more, ...(ignoreChanges.length === 0 ? {} : { ignoreChanges }) };
}

/** The options by which a resource stays as Pulumi's state has it. */
export function standing(
  type: string,
  name: string,
  snapshot: Pick<ClusterSnapshot, "unread">,
): pulumi.CustomResourceOptions {
  if (type === "pulumi:providers:kubecamp-buckets" && snapshot.unread?.offline === true) {
    // Part of it is which cluster this is.
    return { ignoreChanges: ["stack"] };
  }
  const kind = type.split(":").at(-1) as Kind;
  if (!type.startsWith("kubernetes:") || !isUnread(kind, snapshot)) {
    return {};
  }
  if (kind !== "Service") {
    const applied = `metadata.annotations["${appliedAnnotation}"]`;
    return { ignoreChanges: kind === "Deployment" ? [applied, "spec.strategy"] : [applied] };
  }
  const [member = ""] = name.split("/");
  // Where it leads, when it was made: every part of it is as the live one has it.
  return name === logicalNames.service({ name: member })
    ? { ignoreChanges: ["metadata", "spec"], replacementTrigger: null }
    : {};
}
