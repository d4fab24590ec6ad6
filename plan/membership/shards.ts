import { isWrittenByMembers, keyKinds } from "../../cluster/kinds/stackKinds.ts";
import { type ClusterSnapshot, type LiveObject, liveOf, objectKey, objectNameOf } from "../../cluster/read/snapshot.ts";
import type { Move } from "../../cluster/write/stackLabel.ts";
import type { Member, Settings, ShardSettings } from "../../config/model/settings.ts";
import { homeStackOf, isOfFamily } from "../../config/rules/shards.ts";
import { formerStacksAnnotation, memberLabel, stackLabel } from "../../naming/labels.ts";
import { isOfRoute, logicalNames } from "../../naming/logicalNames.ts";
import { namespaceName } from "../../naming/names.ts";
import { namespaceStands } from "../decisions/unread/unread.ts";
import { isRead, possibleObjects } from "../manifest/manifest.ts";
import type { Finding } from "../messages/finding.ts";

type OfShard = Pick<Settings, "stack" | "shards" | "route">;
type Live = Pick<ClusterSnapshot, "namespaces" | "managedObjects" | "services" | "unread">;

/**
 * Whose of the list a stack's run makes: all of them, unless the list is split. Then whoever lives in a stack of the family
 * stays there until they are handed over, whatever their names say by now: so that no run deletes, or makes a second time,
 * whom another stack's state has.
 */
export function ownMembers(list: readonly Member[], settings: OfShard, snapshot: Live): readonly Member[] {
  const { stack, shards } = settings;
  return shards === undefined
    ? list
    : list.filter((member) => stackOf(member, { ...settings, shards }, snapshot) === stack);
}

/** All who are to be handed over; in the list's order. */
export function movesOf(list: readonly Member[], settings: OfShard, snapshot: Live): Move[] {
  const { shards } = settings;
  return shards === undefined
    ? []
    : list.flatMap((member) => {
        const from = residenceOf(member, { ...settings, shards }, snapshot);
        const to = homeStackOf(member.name, shards);
        return from === undefined || from === to ? [] : [{ member: member.name, from, to }];
      });
}

/** All who leave this stack for another of its family, or come from one. */
export function moving(list: readonly Member[], settings: OfShard, snapshot: Live): Finding<"moves">[] {
  const { stack, shards } = settings;
  return shards === undefined
    ? []
    : movesOf(list, settings, snapshot)
        .filter(({ from, to }) => from === stack || to === stack)
        .map(({ member, from, to }) => ({ code: "moves", member, facts: { from, to, family: shards.family } }));
}

type Split = OfShard & { readonly shards: ShardSettings };

/** The stack that a member lives in; of one who is nowhere yet, the one that they belong to. */
function stackOf(member: Member, settings: Split, snapshot: Live): string {
  const belongs = homeStackOf(member.name, settings.shards);
  if (snapshot.unread?.offline === true && snapshot.unread.last !== undefined) {
    // A cluster that nobody asked is no reason to show that those leave whom Pulumi's state has.
    return namespaceStands(member, snapshot) ? settings.stack : belongs;
  }
  return residenceOf(member, settings, snapshot) ?? belongs;
}

/**
 * The stack of the family that a member has something of; undefined if they have nothing. The namespace says it. Where
 * somebody has taken off its labels, or deleted it, other things still say in which stack's state it is.
 */
function residenceOf(member: Member, settings: Split, snapshot: Live): string | undefined {
  const home = namespaceName(member);
  const told = stackIn(snapshot.namespaces.get(home), member, settings.shards);
  if (told !== undefined) {
    return told;
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
  shards: ShardSettings,
): string | undefined {
  const { [stackLabel]: stack, [memberLabel]: owner } = live?.labels ?? {};
  return stack !== undefined && owner === name && isOfFamily(stack, shards) ? stack : undefined;
}

/** Why a run can't target some members, since another stack has them: Pulumi would delete what it does not register. */
export function targetedElsewhere(
  targeted: readonly Member[],
  settings: OfShard,
  snapshot: Live,
): Finding<"targetedElsewhere">[] {
  const { shards } = settings;
  return shards === undefined
    ? []
    : targeted.flatMap((member) => {
        const stack = stackOf(member, { ...settings, shards }, snapshot);
        return stack === settings.stack ? [] : [{ code: "targetedElsewhere", member: member.name, facts: { stack } }];
      });
}

/** Who has lived in other stacks of the family before: a state of these that is older than that has them still. */
export function formerHomes(list: readonly Member[], settings: OfShard, snapshot: Live): Move[] {
  const { shards } = settings;
  return shards === undefined
    ? []
    : list.flatMap((member) => {
        const home = snapshot.managedObjects.get(objectKey("Namespace", namespaceName(member)));
        const former = home?.annotations[formerStacksAnnotation]?.split(",") ?? [];
        const to = former.length === 0 ? undefined : residenceOf(member, { ...settings, shards }, snapshot);
        return to === undefined
          ? []
          : former.filter((from) => from !== to).map((from) => ({ member: member.name, from, to }));
      });
}

/**
 * Who lives in another stack, and whom this one's state may have all the same: it is older than their move, or somebody has
 * changed the label of their namespace by hand.
 */
export function mayBeKnownElsewhere(list: readonly Member[], settings: OfShard, snapshot: Live): Move[] {
  const { stack } = settings;
  return [
    ...formerHomes(list, settings, snapshot).filter(({ from }) => from === stack),
    ...movesOf(list, settings, snapshot)
      .filter(({ to }) => to === stack)
      .map(({ member, from }) => ({ member, from: stack, to: from })),
  ];
}

/**
 * Why a run of this stack would delete members of others, if it would.
 * @param last logical names of what Pulumi's state has; undefined where that is not known
 */
export function knownElsewhere(
  moved: readonly Move[],
  { stack, shards }: OfShard,
  last: ReadonlySet<string> | undefined,
): Finding<"knownElsewhere">[] {
  const known = moved.filter(({ member }) => last?.has(logicalNames.namespace({ name: member })) ?? true);
  if (known.length === 0) {
    return [];
  }
  const stacks = new Map(known.map(({ member, to }) => [`${member} ${to}`, { member, to }]));
  const facts = { moved: [...stacks.values()], stack, family: shards?.family, isStateKnown: last !== undefined };
  return [{ code: "knownElsewhere", facts }];
}

/**
 * Names of all whom other stacks of the family have: those of the list, and those who leave one. The namespace says it; of who
 * has none any more, a binding that is left.
 */
export function membersElsewhere(list: readonly Member[], settings: OfShard, snapshot: Live): ReadonlySet<string> {
  const { stack, shards } = settings;
  if (shards === undefined) {
    return new Set();
  }
  const traces = [...bindingsIn(snapshot), ...snapshot.namespaces.values()];
  const homes = traces.flatMap(({ labels: { [stackLabel]: home, [memberLabel]: member } }) =>
    home !== undefined && member !== undefined && isOfFamily(home, shards) ? [[member, home] as const] : [],
  );
  const listed = list.map((member) => [member.name, stackOf(member, { ...settings, shards }, snapshot)] as const);
  return new Set([...new Map([...homes, ...listed])].flatMap(([name, home]) => (home === stack ? [] : [name])));
}

/**
 * The stacks of a family that have anything of a member's on the cluster, in alphabetical order: also one that is no longer
 * needed, and whose next run deletes the bindings of those who have left it.
 */
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

/** What gives access in no namespace, so that no namespace takes it along. */
const bindingsIn = ({ managedObjects }: Pick<ClusterSnapshot, "managedObjects">) =>
  [...managedObjects].flatMap(([key, live]) => {
    const { kind, namespace } = objectNameOf(key);
    return namespace === undefined && keyKinds.includes(kind) ? [live] : [];
  });
