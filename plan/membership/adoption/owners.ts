import { keyOf } from "../../../cluster/kinds/objectName.ts";
import { isWrittenByMembers } from "../../../cluster/kinds/stackKinds.ts";
import type { ClusterSnapshot, OwnedObject } from "../../../cluster/read/snapshot.ts";
import { namespaceName } from "../../../config/names/names.ts";
import { isRead } from "../../manifest/manifest.ts";
import type { Finding } from "../../messages/finding.ts";
import type { Planned } from "../../plan.ts";

/**
 * Declared objects that somebody has given an owner. The garbage collector would delete them with that owner, and with a
 * namespace everything that a member has; server-side apply can't remove owner references of another manager.
 */
export function ownedByOthers(plan: Planned<Pick<ClusterSnapshot, "owned">>): OwnedObject[] {
  return declaredKeys(plan)
    .map((key) => plan.snapshot.owned.get(key))
    .filter((owned) => owned !== undefined);
}

/** Keys of objects that a run declares for the stack and for some members, except those that members write themselves. */
export function declaredKeys({ members, shared }: Planned): string[] {
  return [
    ...shared
      .filter(isRead)
      .filter(({ isControllers }) => !isControllers)
      .map(keyOf),
    ...members.flatMap(({ member, declared }) =>
      declared
        // Objects that members write are theirs to give an owner: they are deleted with it, and a later run makes others. To
        // remove the owner could fail while the member changes the object, and fail the run for everybody else.
        .filter((object) => object.namespace !== namespaceName(member) || !isWrittenByMembers(object))
        .map(keyOf),
    ),
  ];
}

/** A finding for each owner of each object. */
export const givenOwners = (owned: readonly OwnedObject[]): Finding<"owners">[] =>
  owned.flatMap((object) =>
    object.owners.map(
      ({ kind, name }) => ({ code: "owners", object: keyOf(object), facts: { owner: `${kind} '${name}'` } }) as const,
    ),
  );
