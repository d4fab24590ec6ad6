import { keyOf, objectKey } from "../../../cluster/kinds/objectName.ts";
import type { ClusterSnapshot } from "../../../cluster/read/snapshot.ts";
import { adoptAnnotation } from "../../../config/names/labels.ts";
import { namespaceName } from "../../../config/names/names.ts";
import type { Settings } from "../../../config/settings.ts";
import { isOwnStack } from "../../compare/foreign.ts";
import type { MemberPlan } from "../../memberPlan.ts";
import type { Finding } from "../../messages/finding.ts";
import { takenOver } from "./takeover.ts";

/**
 * Refusal of a takeover for which only a file of members asks: whoever may edit that file alone must not get the access to
 * any namespace, or to an object beside the controller. In a namespace that is the member's already, everything is theirs.
 */
export function unmarked(
  plan: MemberPlan,
  { managedObjects }: Pick<ClusterSnapshot, "managedObjects">,
): Finding<"unmarked">[] {
  const { member, settings } = plan;
  const home = managedObjects.get(objectKey("Namespace", namespaceName(member)));
  const objects = takenOver(plan).filter(({ object }) => object.namespace !== namespaceName(member));
  if (member.needsMark !== true || objects.length === 0 || isMarked(home?.annotations, settings)) {
    return [];
  }
  const facts = {
    objects: objects.map(({ object }) => keyOf(object)),
    isHomeThere: home !== undefined,
    stack: settings.shards?.family ?? settings.stack,
  };
  return [{ code: "unmarked", member: member.name, facts }];
}

function isMarked(annotations: Readonly<Record<string, string>> | undefined, settings: Settings): boolean {
  const mark = annotations?.[adoptAnnotation];
  return isOwnStack(mark, settings) || (mark !== undefined && mark === settings.shards?.family);
}
