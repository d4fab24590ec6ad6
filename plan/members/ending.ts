import { isCosiKind } from "../../cluster/kinds/bucketKinds.ts";
import { logicalName } from "../../cluster/kinds/liveObject.ts";
import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import { hasQuota, type Member } from "../../config/member/member.ts";
import { isOfRoute, logicalNames } from "../../config/names/logicalNames.ts";
import { namespaceName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { isEnding } from "../live/ending.ts";
import { isOurs } from "../live/owner.ts";
import { isAbsent, isUnread } from "../live/unread.ts";
import { type PossibleObject, possibleObjects } from "../rows/manifest.ts";
import type { Finding } from "../words/finding.ts";

interface Ending {
  /** Members whose objects it doesn't register. Pulumi's state has none of them, so this deletes nothing. */
  readonly leftOut: ReadonlySet<Member>;
  /** Logical names of other members' objects that it doesn't register, because they are gone. */
  readonly gone: ReadonlySet<string>;
  readonly refused: readonly Finding<"namespaceEnding">[];
}

type Live = Pick<ClusterSnapshot, "managedObjects" | "namespaces" | "services" | "unread" | "forgotten">;

/**
 * A run leaves what remains in such a namespace unchanged, except the route. Objects may be gone, from Pulumi's state
 * too: to make them again would fail, and everybody's run would stop half-way. So the run doesn't register them, and
 * Pulumi drops those that its state has.
 * @param last logical names in the state, or those before this run's refresh; undefined if unknown
 */
export function endingOf(
  members: readonly Member[],
  settings: Settings,
  snapshot: Live,
  last: ReadonlySet<string> | undefined,
): Ending {
  const ending = members.filter((member) => {
    const home = snapshot.namespaces.get(namespaceName(member));
    // Of a namespace that is not this stack's, a run reports the owner first.
    const isOursEnding = home !== undefined && isEnding(member, snapshot) && isOurs(home, settings);
    return isOursEnding || snapshot.forgotten?.has(member.name);
  });
  const known = new Set([...(last ?? [])].map((name) => name.split("/")[0]));
  const leftOut = ending.filter(({ name }) => last !== undefined && !known.has(name));
  const others = ending.filter((member) => !leftOut.includes(member));
  const unclear = others.filter((member) => !last?.has(logicalNames.namespace(member)));
  const gone = others.flatMap((member) =>
    possibleObjects(member, settings)
      .filter((object) => object.part !== "namespace" && !isOfRoute(object))
      .map((object) => ({ ...object, called: logicalName({ member: member.name, part: object.part }) }))
      .filter(({ called, ...object }) => !last?.has(called) || isGone(object, snapshot)),
  );
  return {
    leftOut: new Set(leftOut),
    gone: new Set(gone.map(({ called }) => called)),
    refused: unclear.map((member) => waitForEnd(member, last === undefined ? { unreadStateOf: settings.stack } : {})),
  };
}

/** A preview shows what nobody could read as in the state. COSI objects, which no run reads, count as gone. */
const isGone = ({ kind, name, namespace }: PossibleObject, snapshot: Live): boolean =>
  isCosiKind(kind) || isAbsent({ kind, name, namespace }, snapshot);

/** A plain run takes such a namespace for existing, and fails for everybody when it creates objects in it. */
export function halfForgotten(
  members: readonly Member[],
  settings: Settings,
  { namespaces, unread }: Pick<ClusterSnapshot, "namespaces" | "unread">,
  last: ReadonlySet<string> | undefined,
): ReadonlySet<string> {
  if (isUnread("Namespace", { unread })) {
    return new Set();
  }
  const isForgotten = (member: Member) =>
    !namespaces.has(namespaceName(member)) &&
    last?.has(logicalNames.namespace(member)) === true &&
    possibleObjects(member, settings).some(
      ({ part, isGuard }) =>
        isGuard && (part !== "quota" || hasQuota(member)) && !last.has(logicalName({ member: member.name, part })),
    );
  return new Set(members.filter(isForgotten).map(({ name }) => name));
}

export const waitForEnd = (
  { name }: Pick<Member, "name">,
  facts: Finding<"namespaceEnding">["facts"] = {},
): Finding<"namespaceEnding"> => ({ code: "namespaceEnding", member: name, facts });
