import { dataBeside, mostData } from "../../cluster/kinds/dataSize.ts";
import { kubectlDelete } from "../../cluster/kinds/objectName.ts";
import { isKindOfRoute } from "../../cluster/kinds/stackKinds.ts";
import { type ClusterSnapshot, liveOf, type ManagedObject } from "../../cluster/read/snapshot.ts";
import type { Member } from "../../config/member/member.ts";
import { backendCaName, namespaceName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { foreign } from "../live/owner.ts";
import { type BucketsPlan, newConfigMaps } from "./bucketsPlan.ts";
import { lackOfHeadroom } from "./quotaHeadroom.ts";
import { newPages, type StarterPlan } from "./starterPlan.ts";

type OfStack = Pick<Settings, "stack" | "shards" | "route">;

/** Key of the CA in the ConfigMap; others may have added more. */
const entry = "ca.crt";

/** Members write the ConfigMap too: only their own route stays closed. A try to change it would fail all of the run. */
export function backendCaObstacle(
  { member, starter, buckets }: DecidedFirst,
  settings: OfStack,
  { managedObjects }: Pick<ClusterSnapshot, "managedObjects">,
): string | undefined {
  if (!isKindOfRoute("ConfigMap", settings, member.route?.path)) {
    return undefined;
  }
  const object = { kind: "ConfigMap", name: backendCaName, namespace: namespaceName(member) } as const;
  const live = liveOf(object, { managedObjects });
  if (live === undefined) {
    const others = newPages(member, starter, { managedObjects }) + newConfigMaps(buckets, { managedObjects });
    const why = lackOfHeadroom(member, "ConfigMap", { managedObjects }, { more: others + 1 });
    return why === undefined ? undefined : `ConfigMap '${backendCaName}' can't be made: ${why}`;
  }
  const why = unfit(live, member, settings);
  return why === undefined
    ? undefined
    : `ConfigMap '${backendCaName}' ${why}; delete it ('${kubectlDelete([object])}'), and the next run makes it anew`;
}

function unfit(live: ManagedObject, member: Member, settings: OfStack): string | undefined {
  const { ca = "" } = settings.route.backend;
  const { data, immutable } = live.content as { readonly data?: Record<string, string>; readonly immutable?: boolean };
  // An object that a run has applied is ours, even with other labels.
  if (live.applied === undefined && foreign("", live, settings, member).length > 0) {
    return "is not kubecamp's";
  }
  if (live.terminating === true) {
    return "is being deleted";
  }
  if (immutable === true && data?.[entry] !== ca) {
    return "is immutable, and has another CA than the stack's";
  }
  const isFull = live.isLarge === true || dataBeside(live.content, [entry]) + Buffer.byteLength(ca) > mostData;
  return isFull ? "has so much in it that nothing can be added" : undefined;
}

export interface DecidedFirst {
  readonly member: Member;
  readonly starter: StarterPlan | undefined;
  readonly buckets: Pick<BucketsPlan, "made">;
}
