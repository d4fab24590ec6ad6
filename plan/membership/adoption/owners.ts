import { isWrittenByMembers } from "../../../cluster/kinds/stackKinds.ts";
import { type ClusterSnapshot, keyOf, type OwnedObject } from "../../../cluster/read/snapshot.ts";
import { namespaceName } from "../../../naming/names.ts";
import { isRead } from "../../manifest/manifest.ts";
import type { Finding } from "../../messages/finding.ts";
import type { Planned } from "../../plan.ts";

/**
 * What a run declares and somebody has given an owner. With that owner the garbage collector would delete it, and behind
 * a namespace all that a member has; server-side apply can't take off what another manager has put on.
 */
export function ownedByOthers(plan: Planned<Pick<ClusterSnapshot, "owned">>): OwnedObject[] {
  return declaredKeys(plan)
    .map((key) => plan.snapshot.owned.get(key))
    .filter((owned) => owned !== undefined);
}

/** Keys of what a run declares for the stack and for some members, but for what members write themselves. */
export function declaredKeys({ members, shared }: Planned): string[] {
  return [
    ...shared
      .filter(isRead)
      .filter(({ isControllers }) => !isControllers)
      .map(keyOf),
    ...members.flatMap(({ member, declared }) =>
      declared
        // What members write themselves is theirs to give away: with its owner it goes, and a later run makes another. To
        // take the owner off might fail while they change it, and with it the run for everybody else.
        .filter((object) => object.namespace !== namespaceName(member) || !isWrittenByMembers(object))
        .map(keyOf),
    ),
  ];
}

/** Each object with each of its owners. */
export const givenOwners = (owned: readonly OwnedObject[]): Finding<"owners">[] =>
  owned.flatMap((object) =>
    object.owners.map(
      ({ kind, name }) => ({ code: "owners", object: keyOf(object), facts: { owner: `${kind} '${name}'` } }) as const,
    ),
  );
