import { isCosiKind } from "../../cluster/kinds/cosi.ts";
import { logicalName } from "../../cluster/kinds/liveObject.ts";
import { type ClusterSnapshot, objectKey } from "../../cluster/read/snapshot.ts";
import { hasQuota } from "../../config/model/memberTypes.ts";
import type { Member, Settings } from "../../config/model/settings.ts";
import { isOfRoute, logicalNames } from "../../naming/logicalNames.ts";
import { clusterRoleBindingName, namespaceName } from "../../naming/names.ts";
import { isOurs } from "../compare/foreign.ts";
import { isAbsent, isUnread } from "../decisions/unread/unread.ts";
import { type PossibleObject, possibleObjects } from "../manifest/manifest.ts";
import type { Finding } from "../messages/finding.ts";

type Ended = Pick<ClusterSnapshot, "managedObjects" | "forgotten">;

/**
 * Whether a member's namespace is being deleted: nothing can be made in it any more, and what is in it goes. So it is after it,
 * where Pulumi's state has the namespace still and no more what was in it.
 */
export const isEnding = (member: Pick<Member, "name">, { managedObjects, forgotten }: Ended): boolean =>
  managedObjects.get(objectKey("Namespace", namespaceName(member)))?.terminating === true ||
  forgotten?.has(member.name) === true;

/** Why a member's path is closed meanwhile. */
export const endingReason = (member: Pick<Member, "name">, { forgotten }: Pick<ClusterSnapshot, "forgotten">) =>
  forgotten?.has(member.name)
    ? `namespace '${namespaceName(member)}' was deleted; 'pulumi up --refresh' makes it anew, and the up after that what belongs in it`
    : `namespace '${namespaceName(member)}' is being deleted`;

/** Names of those whose is. */
export const endingMembers = (members: readonly Member[], snapshot: Ended): ReadonlySet<string> =>
  new Set(members.filter((member) => isEnding(member, snapshot)).map(({ name }) => name));

/** What a run does about members whose namespace is being deleted. */
export interface Ending {
  /** Those of whom it registers nothing, since Pulumi's state has nothing that it would delete then. */
  readonly leftOut: ReadonlySet<Member>;
  /** Logical names of what it does not register of the others, since it is not there any more. */
  readonly gone: ReadonlySet<string>;
  /** Why it can't go on. */
  readonly refused: readonly Finding<"namespaceEnding">[];
}

type Live = Pick<ClusterSnapshot, "managedObjects" | "namespaces" | "services" | "unread" | "forgotten">;

/**
 * Of members whose namespace is being deleted, a run leaves all that is still there as it stands, but for the route. What is
 * gone, as it may be from Pulumi's state after a refresh, or of who comes back while they are being removed, a run would have
 * to make: the API server refuses that, and everybody's run would fail half-way. So it is not registered; and of what the
 * state has, it is forgotten.
 * @param last logical names of what the state has, or had before this run's refresh; undefined where that is not known
 */
export function endingOf(
  members: readonly Member[],
  settings: Settings,
  snapshot: Live,
  last: ReadonlySet<string> | undefined,
): Ending {
  const ending = members.filter(
    (member) => isOursEnding(member, settings, snapshot) || snapshot.forgotten?.has(member.name),
  );
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

/** What nobody could look at may be there: a preview shows it as the state has it. What no run ever looks at may not. */
const isGone = ({ kind, name, namespace }: PossibleObject, snapshot: Live): boolean =>
  isCosiKind(kind) || isAbsent({ kind, name, namespace }, snapshot);

/**
 * Names of those of the members whose namespace is gone, and of whom Pulumi's state has it still, without all that guards them:
 * a run has forgotten what was deleted before it. A plain run takes the namespace for there, and everything that it would make
 * in it fails, for everybody.
 * @param last logical names of what the state has; undefined where that is not known
 */
export function halfForgotten(
  members: readonly Member[],
  settings: Settings,
  { namespaces }: Pick<ClusterSnapshot, "namespaces">,
  last: ReadonlySet<string> | undefined,
): ReadonlySet<string> {
  const isForgotten = (member: Member) =>
    !namespaces.has(namespaceName(member)) &&
    last?.has(logicalNames.namespace(member)) === true &&
    possibleObjects(member, settings).some(
      ({ part, isGuard }) =>
        isGuard && (part !== "quota" || hasQuota(member)) && !last.has(logicalName({ member: member.name, part })),
    );
  return new Set(members.filter(isForgotten).map(({ name }) => name));
}

/** Those whose namespace is not there and may have been: who only joins has nothing elsewhere either. */
export const mayHaveBeen = (
  members: readonly Member[],
  settings: Settings,
  { namespaces, managedObjects, unread }: Pick<ClusterSnapshot, "namespaces" | "managedObjects" | "unread">,
): Member[] =>
  members.filter((member) => {
    const { others } = member.type;
    return (
      !namespaces.has(namespaceName(member)) &&
      !isUnread("Namespace", { unread }) &&
      (member.standing !== "active" ||
        others === "none" ||
        managedObjects.has(objectKey("ClusterRoleBinding", clusterRoleBindingName(member, others, settings))))
    );
  });

/** Whether it is one that this stack has made: of any other, a run says first whose it is. */
export const isOursEnding = (
  member: Member,
  settings: Settings,
  snapshot: Pick<ClusterSnapshot, "managedObjects" | "namespaces">,
): boolean => {
  const home = snapshot.namespaces.get(namespaceName(member));
  return home !== undefined && isEnding(member, snapshot) && isOurs(home, settings);
};

/** That nobody can go on before it is gone. */
export const waitForEnd = (
  { name }: Pick<Member, "name">,
  facts: Finding<"namespaceEnding">["facts"] = {},
): Finding<"namespaceEnding"> => ({ code: "namespaceEnding", member: name, facts });
