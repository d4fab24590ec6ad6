import { objectKey } from "../../cluster/kinds/objectName.ts";
import { quotaStateOf } from "../../cluster/kinds/quotaState.ts";
import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { Restless } from "../../cluster/write/pods.ts";
import type { Sleeper } from "../../cluster/write/wakeUp.ts";
import { hasQuota, type Member, mayRun } from "../../config/member/member.ts";
import { standingLabel } from "../../config/names/labels.ts";
import { namespaceName, resourceQuotaName } from "../../config/names/names.ts";
import { defined } from "../../config/values/maps.ts";
import { isBetween } from "../decisions/sleep.ts";
import { isOpen } from "../live/openRoutes.ts";
import type { Planned } from "./plan.ts";

/** Members whose pods a run has to stop: a quota of zero refuses new pods, and ends none. */
export function restlessMembers(
  members: readonly Member[],
  { namespaceContents }: Pick<ClusterSnapshot, "namespaceContents">,
): Restless[] {
  return inactive(members, namespaceContents).filter(({ pods }) => pods > 0);
}

/** Also members who had no pods when the cluster was read, but whose quota still admitted new ones. */
export function stillOpenMembers(
  members: readonly Member[],
  {
    namespaceContents,
    managedObjects,
    namespaces,
  }: Pick<ClusterSnapshot, "namespaceContents" | "managedObjects" | "namespaces">,
): Restless[] {
  return inactive(members, namespaceContents).filter(
    ({ namespace, pods }) =>
      pods > 0 ||
      (namespaces.has(namespace) &&
        quotaStateOf(managedObjects.get(objectKey("ResourceQuota", resourceQuotaName, namespace))?.content) !==
          "closed"),
  );
}

function inactive(members: readonly Member[], namespaceContents: ClusterSnapshot["namespaceContents"]): Restless[] {
  return members
    .filter((member) => !mayRun(member))
    .map((member) => {
      const namespace = namespaceName(member);
      return { member: member.name, namespace, pods: namespaceContents.get(namespace)?.pods ?? 0 };
    });
}

type Live = Pick<ClusterSnapshot, "managedObjects">;

/** Members of whom the run has more to do than to write objects, as they fall asleep, have woken, or come back. */
export const sleepersIn = (members: readonly Member[], snapshot: Live): Sleeper[] =>
  members.flatMap((member): Sleeper[] => {
    const { wakeAnswer } = member;
    const sleeper = {
      member: member.name,
      since: member.sleep?.since,
      keepsQuota: hasQuota(member),
      ...defined({ wakeAnswer }),
    };
    if (isBetween(member, snapshot) || wakeAnswer !== undefined) {
      return [sleeper];
    }
    return comesBack(member, snapshot) ? [{ ...sleeper, wasSuspended: true }] : [];
  });

function comesBack(member: Member, { managedObjects }: Live): boolean {
  const home = managedObjects.get(objectKey("Namespace", namespaceName(member)));
  const was = home?.terminating === true ? undefined : home?.labels[standingLabel];
  return mayRun(member) && (was === "suspended" || was === "expired");
}

export interface Waited {
  readonly member: Member;
  /** In seconds from the start of the wait. */
  readonly timeoutSeconds: number;
  readonly reason: string;
}

/** An open path to a Service that became unfit is closed instead. Waiting removes no obstacle but the Service. */
export function waitedFor({
  members,
  settings,
  snapshot,
}: Planned<Pick<ClusterSnapshot, "managedObjects" | "unread">>): Waited[] {
  return members.flatMap(({ member, readiness, obstacle }) => {
    const { mode, timeoutSeconds = 0 } = member.route?.readiness ?? {};
    const isAwaited = mode === "wait" && readiness.state === "pending" && !isOpen(member, settings, snapshot);
    return isAwaited && obstacle === undefined ? [{ member, timeoutSeconds, reason: readiness.reason }] : [];
  });
}
