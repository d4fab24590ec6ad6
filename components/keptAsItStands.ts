import * as pulumi from "@pulumi/pulumi";
import { appliedAnnotation } from "../cluster/drift.ts";
import type { Kind } from "../cluster/kinds.ts";
import type { ClusterSnapshot } from "../cluster/snapshot.ts";
import { isUnread } from "../cluster/unread/unread.ts";
import { logicalNames } from "../naming/logicalNames.ts";

/**
 * Has a preview take from Pulumi's state what a run takes from live objects that it could not look at: the annotation that
 * a change by hand makes differ, and all of a Service that is made for a member. Each would show as a change otherwise.
 * To be called before anything is registered, and after the policy gate: that judges what is declared, and lets no run
 * ignore a change.
 * @see https://www.pulumi.com/docs/iac/concepts/resources/options/ignorechanges/
 */
export function keepAsItStands(snapshot: Pick<ClusterSnapshot, "unread">): void {
  if (snapshot.unread !== undefined) {
    pulumi.runtime.registerStackTransformation(({ type, name, props, opts }) => ({
      props,
      opts: withStanding(opts, standing(type, name, snapshot)),
    }));
  }
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
    return { ignoreChanges: [`metadata.annotations["${appliedAnnotation}"]`] };
  }
  const [member = ""] = name.split("/");
  // Where it leads, when it was made: every part of it is as the live one has it.
  return name === logicalNames.service({ name: member })
    ? { ignoreChanges: ["metadata", "spec"], replacementTrigger: null }
    : {};
}
