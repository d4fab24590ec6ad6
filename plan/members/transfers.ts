import { keyOf, objectKey } from "../../cluster/kinds/objectName.ts";
import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { Transfer } from "../../cluster/write/stackLabel.ts";
import type { Member } from "../../config/member/member.ts";
import { formerStacksAnnotation, stackLabel } from "../../config/names/labels.ts";
import { logicalNames } from "../../config/names/logicalNames.ts";
import { namespaceName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { homeStackOf } from "../../config/shards.ts";
import { policyObjectsOf, sharedObjects } from "../rows/manifest.ts";
import type { Finding } from "../words/finding.ts";
import { type Live, type OfShard, residenceOf } from "./shards.ts";

/** No member may be without the policies that judge their objects. Undefined if nothing is in the way. */
export function transferObstacle(
  { member, from, to }: Transfer,
  settings: Settings,
  { namespaces, managedObjects, mutates }: Pick<ClusterSnapshot, "namespaces" | "managedObjects" | "mutates">,
): string | undefined {
  const home = namespaces.get(member);
  if (home === undefined || home.terminating || home.labels[stackLabel] !== from) {
    return `their namespace is not whole; stack '${from}' has to be brought up first`;
  }
  const policies = policyObjectsOf({ shared: sharedObjects({ ...settings, stack: to }, { mutates }) });
  return policies.some((object) => !managedObjects.has(keyOf(object)))
    ? `the policies of stack '${to}' are not in force yet; it has to be brought up first`
    : undefined;
}

export function transfersOf(list: readonly Member[], settings: OfShard, snapshot: Live): Transfer[] {
  const { shards } = settings;
  return shards === undefined
    ? []
    : list.flatMap((member) => {
        const from = residenceOf(member, settings, snapshot);
        const to = homeStackOf(member.name, shards);
        return from === undefined || from === to ? [] : [{ member: member.name, from, to }];
      });
}

export function transferFindings(list: readonly Member[], settings: OfShard, snapshot: Live): Finding<"transfers">[] {
  const { stack, shards } = settings;
  return shards === undefined
    ? []
    : transfersOf(list, settings, snapshot)
        .filter(({ from, to }) => from === stack || to === stack)
        .map(({ member, from, to }) => ({ code: "transfers", member, facts: { from, to, family: shards.family } }));
}

/** Former shards of members: such a shard's state from before the transfer still has the member. */
export function pastTransfers(list: readonly Member[], settings: OfShard, snapshot: Live): Transfer[] {
  return list.flatMap((member) => {
    const home = snapshot.managedObjects.get(objectKey("Namespace", namespaceName(member)));
    const former = home?.annotations[formerStacksAnnotation]?.split(",") ?? [];
    const to = former.length === 0 ? undefined : residenceOf(member, settings, snapshot);
    return to === undefined
      ? []
      : former.filter((from) => from !== to).map((from) => ({ member: member.name, from, to }));
  });
}

/**
 * Refuses a run that would delete members of other stacks, whom its state still has: it is old, or a label has changed.
 * @param last logical names in Pulumi's state; undefined if unknown
 */
export function knownElsewhere(
  list: readonly Member[],
  settings: OfShard,
  snapshot: Live,
  last: ReadonlySet<string> | undefined,
): Finding<"knownElsewhere">[] {
  const { stack, shards } = settings;
  const moved = [
    ...pastTransfers(list, settings, snapshot).filter(({ from }) => from === stack),
    ...transfersOf(list, settings, snapshot)
      .filter(({ to }) => to === stack)
      .map(({ member, from }) => ({ member, from: stack, to: from })),
  ];
  const known = moved.filter(({ member }) => last?.has(logicalNames.namespace({ name: member })) ?? true);
  if (known.length === 0) {
    return [];
  }
  const stacks = new Map(known.map(({ member, to }) => [`${member} ${to}`, { member, to }]));
  const facts = { moved: [...stacks.values()], stack, family: shards?.family, isStateKnown: last !== undefined };
  return [{ code: "knownElsewhere", facts }];
}
