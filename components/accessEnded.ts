import { isDeepStrictEqual } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { withApiServer } from "../cluster/apiServer/client.ts";
import { messageOf } from "../cluster/apiServer/errors.ts";
import { forEachOf } from "../cluster/apiServer/forEachOf.ts";
import { findTarget } from "../cluster/apiServer/kubeconfig.ts";
import { objectPath } from "../cluster/kinds.ts";
import { leavers } from "../cluster/offboarding/leavers.ts";
import { tellProgress } from "../cluster/progress.ts";
import { type ClusterSnapshot, guardName, type ObjectName } from "../cluster/snapshot.ts";
import { type Aim, removes } from "../config/aim.ts";
import type { Member, Settings } from "../config/settings.ts";
import { memberLabel, stackLabel } from "../naming/labels.ts";
import { subjects } from "./objects/subjects.ts";

/**
 * Takes off bindings whom they are to let in no more, before anything is registered. Pulumi deletes last, and nothing in a run
 * in which anything fails, of whomever: who is suspended would keep their access until all is well. The bindings themselves
 * are left for Pulumi to change or delete. What can't be written is told, and stops nobody else's run.
 * @param list all members
 */
export async function endAccess(
  list: readonly Member[],
  aim: Aim,
  settings: Settings,
  snapshot: ClusterSnapshot,
): Promise<void> {
  const ended = endedAccess(list, aim, settings, snapshot);
  if (pulumi.runtime.isDryRun() || ended.length === 0) {
    return;
  }
  const refused: string[] = [];
  await withApiServer(findTarget(settings.cluster.context), { tell: tellProgress }, async (api) => {
    await forEachOf(ended, ({ member, kept, ...binding }) =>
      api
        .write({
          what: `end access to what is member '${member}'s, in ${binding.kind} '${binding.name}'`,
          method: "PATCH",
          path: objectPath(binding),
          contentType: "application/merge-patch+json",
          body: { subjects: kept },
        })
        .catch((cause) => void refused.push(messageOf(cause))),
    );
  });
  if (refused.length > 0) {
    await pulumi.log.warn(`Access has not ended yet; it does when this run succeeds:\n${refused.join("\n")}`);
  }
}

/** A binding of the stack's that lets somebody in who is to have access no more. */
export interface EndedAccess extends ObjectName {
  readonly member: string;
  /** Its subjects who go on having it. */
  readonly kept: readonly unknown[];
}

const bindings: readonly string[] = ["RoleBinding", "ClusterRoleBinding"];

/**
 * Bindings that let in whom the list does not: members who have left or are suspended, and a `subject` or `groups` of before.
 * The binding of a former type is left to Pulumi, which deletes it once its successor is there.
 */
export function endedAccess(
  list: readonly Member[],
  aim: Aim,
  settings: Settings,
  snapshot: ClusterSnapshot,
): EndedAccess[] {
  const left = removes(aim) ? leavers(list, settings, snapshot).map(({ name }) => name) : [];
  const entitled = new Map<string, readonly unknown[]>([
    ...left.flatMap((name) => (aim.isWhole || aim.leavers.includes(name) ? [[name, []] as const] : [])),
    ...aim.members.map((member) => [member.name, member.standing === "active" ? subjects(member) : []] as const),
  ]);
  return [...snapshot.guards].flatMap(([key, { labels, content }]): EndedAccess[] => {
    const object = guardName(key);
    const { [stackLabel]: stack, [memberLabel]: member = "" } = labels;
    const allowed = entitled.get(member);
    if (!bindings.includes(object.kind) || stack !== settings.stack || allowed === undefined) {
      return [];
    }
    const live: readonly unknown[] = Array.isArray(content.subjects) ? content.subjects : [];
    const kept = live.filter((subject) => allowed.some((each) => isDeepStrictEqual(each, subject)));
    return kept.length === live.length ? [] : [{ ...object, member, kept }];
  });
}
