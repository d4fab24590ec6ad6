import { objectNameOf } from "../../cluster/kinds/objectName.ts";
import { isWrittenByMembers, keyKinds } from "../../cluster/kinds/stackKinds.ts";
import { type ClusterSnapshot, type LiveObject, liveOf } from "../../cluster/read/snapshot.ts";
import type { Member } from "../../config/member/member.ts";
import { memberLabel, stackLabel } from "../../config/names/labels.ts";
import { isOfRoute } from "../../config/names/logicalNames.ts";
import { namespaceName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { homeStackOf, isOfFamily, type ShardSettings } from "../../config/shards.ts";
import { namespaceStands } from "../live/unread.ts";
import { isRead, possibleObjects } from "../rows/manifest.ts";
import type { Finding } from "../words/finding.ts";

export type OfShard = Pick<Settings, "stack" | "shards" | "route">;
export type Live = Pick<ClusterSnapshot, "namespaces" | "managedObjects" | "services" | "unread">;

/** If sharded, a member stays with the shard that has their objects until transferred: no run deletes another's. */
export function ownMembers(list: readonly Member[], settings: OfShard, snapshot: Live): readonly Member[] {
  const { stack, shards } = settings;
  return shards === undefined ? list : list.filter((member) => stackOf(member, settings, snapshot) === stack);
}

function stackOf(member: Member, settings: OfShard, snapshot: Live): string {
  const { stack, shards } = settings;
  if (shards === undefined) {
    return stack;
  }
  const belongs = homeStackOf(member.name, shards);
  if (snapshot.unread?.offline === true && snapshot.unread.last !== undefined) {
    // An unread cluster is no reason to show members in Pulumi's state as leaving.
    return namespaceStands(member, snapshot) ? stack : belongs;
  }
  return residenceOf(member, settings, snapshot) ?? belongs;
}

/** By the namespace's labels, or by other objects' if somebody has removed those; undefined if no shard has any. */
export function residenceOf(member: Member, settings: OfShard, snapshot: Live): string | undefined {
  const home = namespaceName(member);
  const labelled = stackIn(snapshot.namespaces.get(home), member, settings.shards);
  if (labelled !== undefined) {
    return labelled;
  }
  return possibleObjects(member, settings)
    .filter(isRead)
    .filter((object) => object.isGuard || isOfRoute(object))
    .filter((object) => object.namespace !== home || !isWrittenByMembers(object))
    .map((object) => stackIn(liveOf(object, snapshot), member, settings.shards))
    .find((stack) => stack !== undefined);
}

function stackIn(
  live: Pick<LiveObject, "labels"> | undefined,
  { name }: Member,
  shards: ShardSettings | undefined,
): string | undefined {
  const { [stackLabel]: stack, [memberLabel]: owner } = live?.labels ?? {};
  return stack !== undefined && shards !== undefined && owner === name && isOfFamily(stack, shards) ? stack : undefined;
}

/** Members that a run can't target because another stack has them: Pulumi would delete their objects, unregistered here. */
export function targetedElsewhere(
  targeted: readonly Member[],
  settings: OfShard,
  snapshot: Live,
): Finding<"targetedElsewhere">[] {
  return targeted.flatMap((member) => {
    const stack = stackOf(member, settings, snapshot);
    return stack === settings.stack ? [] : [{ code: "targetedElsewhere", member: member.name, facts: { stack } }];
  });
}

/** In the list or removed: by the namespace's labels, or without one by those of a remaining binding. */
export function membersElsewhere(list: readonly Member[], settings: OfShard, snapshot: Live): ReadonlySet<string> {
  const { stack, shards } = settings;
  if (shards === undefined) {
    return new Set();
  }
  const traces = [...bindingsIn(snapshot), ...snapshot.namespaces.values()];
  const homes = traces.flatMap(({ labels: { [stackLabel]: home, [memberLabel]: member } }) =>
    home !== undefined && member !== undefined && isOfFamily(home, shards) ? [[member, home] as const] : [],
  );
  const listed = list.map((member) => [member.name, stackOf(member, settings, snapshot)] as const);
  return new Set([...new Map([...homes, ...listed])].flatMap(([name, home]) => (home === stack ? [] : [name])));
}

/** Also a shard that is no longer needed, whose next run deletes the bindings of transferred members. */
export function stacksInUse(
  { shards }: Pick<Settings, "shards">,
  snapshot: Pick<ClusterSnapshot, "namespaces" | "managedObjects">,
): string[] {
  const labels = [...snapshot.namespaces.values(), ...bindingsIn(snapshot)].map((live) => live.labels);
  const stacks = labels.flatMap(({ [stackLabel]: stack, [memberLabel]: member }) =>
    stack !== undefined && member !== undefined && shards !== undefined && isOfFamily(stack, shards) ? [stack] : [],
  );
  return [...new Set(stacks)].sort();
}

const bindingsIn = ({ managedObjects }: Pick<ClusterSnapshot, "managedObjects">) =>
  [...managedObjects].flatMap(([key, live]) => {
    const { kind, namespace } = objectNameOf(key);
    return namespace === undefined && keyKinds.includes(kind) ? [live] : [];
  });
