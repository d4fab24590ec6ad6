import { isDeepStrictEqual } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { type ClusterSnapshot, type ObjectName, objectKey, objectNameOf } from "../../cluster/read/snapshot.ts";
import { patchEach } from "../../cluster/write/patchEach.ts";
import { othersViews } from "../../config/model/memberTypes.ts";
import type { HomeRole, Member, OthersView, Settings } from "../../config/model/settings.ts";
import { removes, type Target } from "../../config/model/target.ts";
import { memberLabel, stackLabel } from "../../naming/labels.ts";
import { clusterRoleBindingName, namespaceName, roleName } from "../../naming/names.ts";
import { subjects } from "../../plan/objects/subjects.ts";
import type { Plan } from "../../plan/plan.ts";

/**
 * Takes off bindings whom they are to let in no more, before anything is registered. Pulumi deletes last, and nothing in a run
 * in which anything fails, of whomever: who is suspended would keep their access until all is well. The bindings themselves
 * are left for Pulumi to change or delete. What can't be written is told, and stops nobody else's run.
 */
export async function endAccess(plan: Plan, target: Target): Promise<void> {
  const ended = endedAccess(plan, target);
  if (pulumi.runtime.isDryRun() || ended.length === 0) {
    return;
  }
  const patches = ended.map(({ member, kept, ...binding }) => ({
    ...binding,
    what: `end access to what is member '${member}'s, in ${binding.kind} '${binding.name}'`,
    patch: { subjects: kept },
  }));
  const refused = await patchEach(patches, plan.settings);
  if (refused.length > 0) {
    const lines = refused.map(({ why }) => why).join("\n");
    await pulumi.log.warn(`Access has not ended yet; it does when this run succeeds:\n${lines}`);
  }
}

/** A binding of the stack's that lets somebody in who is to have access no more. */
export interface EndedAccess extends ObjectName {
  readonly member: string;
  /** Its subjects who go on having it. */
  readonly kept: readonly unknown[];
}

/**
 * Bindings that let in whom the list does not: members who have left or are suspended, a `subject` or `groups` of before, and
 * a former type once its successor is there. Another binding, which an admin has made, is the admin's.
 */
export function endedAccess({ settings, snapshot, removedMembers }: Plan, target: Target): EndedAccess[] {
  const left = removes(target) ? removedMembers.map(({ name }) => name) : [];
  const entitled = new Map<string, readonly unknown[]>([
    ...left.flatMap((name) => (target.isWhole || target.removedMembers.includes(name) ? [[name, []] as const] : [])),
    ...target.members.map((member) => [member.name, member.standing === "active" ? subjects(member) : []] as const),
  ]);
  const succeeded = new Set(target.members.flatMap((member) => formerBindings(member, settings, snapshot)));
  return [...snapshot.managedObjects].flatMap(([key, { labels, content }]): EndedAccess[] => {
    const object = objectNameOf(key);
    const { [stackLabel]: stack, [memberLabel]: member = "" } = labels;
    const allowed = succeeded.has(key) ? [] : entitled.get(member);
    if (stack !== settings.stack || allowed === undefined || !bindingKeys(member, settings).includes(key)) {
      return [];
    }
    const live: readonly unknown[] = Array.isArray(content.subjects) ? content.subjects : [];
    const kept = live.filter((subject) => allowed.some((each) => isDeepStrictEqual(each, subject)));
    return kept.length === live.length ? [] : [{ ...object, member, kept }];
  });
}

/** Keys of all bindings that a member of whatever type can have. */
const bindingKeys = (name: string, settings: Settings): string[] => [
  ...homeRoles.map((role) => homeKey(role, { name })),
  ...othersViews.map((view) => viewKey(view, { name }, settings)),
];

/** Those of the types that a member had before, where what the present one gives is there. */
function formerBindings(member: Member, settings: Settings, { managedObjects }: ClusterSnapshot): string[] {
  const { home, others } = member.type;
  const own = [homeKey(home, member), ...(others === "none" ? [] : [viewKey(others, member, settings)])];
  return own.every((key) => managedObjects.has(key))
    ? bindingKeys(member.name, settings).filter((key) => !own.includes(key))
    : [];
}

const homeRoles: readonly HomeRole[] = ["edit", "view"];
const homeKey = (role: HomeRole, member: Pick<Member, "name">) =>
  objectKey("RoleBinding", roleName(role), namespaceName(member));
const viewKey = (view: OthersView, member: Pick<Member, "name">, settings: Settings) =>
  objectKey("ClusterRoleBinding", clusterRoleBindingName(member, view, settings));
