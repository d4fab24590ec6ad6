import { type ClusterSnapshot, keyOf, objectNameOf } from "../../../cluster/read/snapshot.ts";
import type { FormerlyManaged } from "../../../cluster/write/relinquish.ts";
import type { KnownObjects } from "../../decisions/unread/lastState.ts";
import type { Finding } from "../../messages/finding.ts";
import type { Planned } from "../../plan.ts";
import { declaredKeys } from "./owners.ts";

/**
 * What a run declares and earlier ones have applied under field managers that Pulumi's state does not know: they were killed
 * before it did, or an old state was restored. Each field that they applied would stay for ever, whatever is declared.
 * @param known what the state has; an object without a field manager is taken over by this run
 */
export function formerlyManaged(
  plan: Planned<Pick<ClusterSnapshot, "managers">>,
  known: KnownObjects,
): FormerlyManaged[] {
  return severallyManaged(plan).flatMap((key) => {
    const { uid, managers } = plan.snapshot.managers?.get(key) ?? { uid: "", managers: [] };
    const own = known.get(key);
    return own === undefined || !managers.includes(own)
      ? []
      : [{ ...objectNameOf(key), uid, managers: managers.filter((manager) => manager !== own) }];
  });
}

/** Keys of what a run declares and several managers have applied: none, on most clusters. */
export function severallyManaged(plan: Planned<Pick<ClusterSnapshot, "managers">>): string[] {
  const { managers } = plan.snapshot;
  return managers === undefined || managers.size === 0 ? [] : declaredKeys(plan).filter((key) => managers.has(key));
}

export const formerManagers = (objects: readonly FormerlyManaged[]): Finding<"formerManagers">[] =>
  objects.map((object) => ({ code: "formerManagers", object: keyOf(object), facts: {} }));
