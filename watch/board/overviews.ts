import type { KubernetesObject, V1ResourceQuota, V1RoleBinding } from "@kubernetes/client-node";
import { objectKey, objectNameOf } from "../../cluster/kinds/objectName.ts";
import { quantityValue } from "../../cluster/kinds/quantity.ts";
import { doorKinds } from "../../cluster/kinds/stackKinds.ts";
import { noBuckets } from "../../cluster/read/overviewLists.ts";
import type { ManagedKind, ManagedObject } from "../../cluster/read/snapshot.ts";
import { endpointAnnotation, memberLabel, stackLabel } from "../../config/names/labels.ts";
import { namespaceName } from "../../config/names/names.ts";
import { given } from "../../config/values/maps.ts";
import type { MemberPlan } from "../../plan/members/memberPlan.ts";
import { type MemberOverview, overviewOf } from "../../plan/members/overview.ts";
import type { BucketOverview } from "../../plan/members/overviewParts.ts";
import type { Planned } from "../../plan/members/plan.ts";
import type { LiveSnapshot } from "../live/liveObjects.ts";

/** Members as the watch sees them: the list's, whether their namespaces are there yet or not. */
export function overviewsOf({ settings, members, snapshot }: Planned<LiveSnapshot>, today: string): MemberOverview[] {
  const objects = Map.groupBy(snapshot.managedObjects, ([key]) => objectNameOf(key).kind);
  const listOf = <T extends KubernetesObject>(kind: ManagedKind) => (objects.get(kind) ?? []).map(asObject) as T[];
  const found = overviewOf(
    {
      namespaces: listOf("Namespace").filter(
        ({ metadata }) =>
          metadata?.labels?.[stackLabel] === settings.stack && metadata.labels[memberLabel] !== undefined,
      ),
      quotas: listOf<V1ResourceQuota>("ResourceQuota"),
      bindings: listOf<V1RoleBinding>("RoleBinding"),
      doors: doorKinds.flatMap((kind) => listOf(kind)),
      // The watch knows what these are for, but not the objects themselves.
      ...{ services: [], endpointSlices: [], pods: [], starters: [], buckets: noBuckets },
    },
    today,
  );
  const byName = new Map(found.map((overview) => [overview.member, overview]));
  return members.map((plan) => overviewIn(plan, byName.get(plan.member.name), snapshot));
}

function overviewIn(plan: MemberPlan, found: MemberOverview | undefined, live: LiveSnapshot): MemberOverview {
  const { member, settings } = plan;
  const namespace = namespaceName(member);
  const seen = found ?? {
    ...{ stack: settings.stack, member: member.name, namespace, type: member.type.name },
    ...{ state: "pending" as const, reason: undefined, route: undefined, starter: undefined },
    ...{ expires: member.expires, leaves: member.leaves, protected: member.protect },
    ...{ buckets: [], staff: [], ci: [], pods: 0, usage: undefined },
  };
  return {
    ...seen,
    ...stateOf(plan, found),
    buckets: bucketsOf(plan, live),
    pods: quantityValue(seen.usage?.pods?.used ?? "") ?? 0,
  };
}

/** Goes by the plan, which says what the next up does. */
function stateOf(
  { member, readiness }: MemberPlan,
  found: MemberOverview | undefined,
): Pick<MemberOverview, "state" | "reason"> {
  if (found === undefined) {
    return { state: "pending", reason: "the namespace is not there: the next up makes it" };
  }
  if (found.state === "leaving") {
    return found;
  }
  if (readiness.state === "suspended") {
    return { state: member.standing === "expired" ? "expired" : "suspended", reason: readiness.reason };
  }
  if (readiness.state !== "ready") {
    return { state: readiness.state === "asleep" ? "asleep" : "pending", reason: readiness.reason };
  }
  return member.route === undefined || found.route !== undefined
    ? { state: "ready", reason: undefined }
    : { state: "pending", reason: "the next up opens the path" };
}

/** The watch reads the metadata of objects for buckets on a server, and nothing of a driver's: those go by the list. */
function bucketsOf({ member, settings }: MemberPlan, live: LiveSnapshot): MemberOverview["buckets"] {
  const namespace = namespaceName(member);
  return (member.buckets ?? []).flatMap(({ name, bucketName }): BucketOverview[] => {
    const object = live.managedObjects.get(objectKey("ConfigMap", name, namespace));
    if (settings.storage?.kind === "cosi") {
      return [{ name, bucketName: undefined, endpoint: undefined, ready: undefined }];
    }
    const endpoint = object?.annotations[endpointAnnotation];
    return object === undefined ? [] : [{ name, bucketName, endpoint, ready: undefined }];
  });
}

function asObject([key, { labels, annotations, terminating, content }]: [string, ManagedObject]): KubernetesObject {
  const { name, namespace } = objectNameOf(key);
  const deletionTimestamp = terminating ? new Date(0) : undefined;
  return {
    ...content,
    metadata: {
      name,
      labels,
      annotations,
      ...given({ namespace, deletionTimestamp }, "namespace", "deletionTimestamp"),
    },
  };
}
