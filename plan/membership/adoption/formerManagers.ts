import { type ClusterSnapshot, keyOf, objectNameOf } from "../../../cluster/read/snapshot/snapshot.ts";
import type { FormerlyManaged } from "../../../cluster/write/relinquish.ts";
import { isMap } from "../../../config/model/maps.ts";
import type { KnownObjects } from "../../decisions/unread/lastState.ts";
import type { Finding } from "../../messages/finding.ts";
import type { Planned } from "../../plan.ts";
import { declaredKeys } from "./owners.ts";

/** Field managers of earlier runs that an object must lose. */
interface Former extends FormerlyManaged {
  /** Whether this removes fields that the run in Pulumi's state has not applied. */
  readonly takesOff: boolean;
}

/**
 * Declared objects with field managers of earlier runs that Pulumi's state doesn't know: the runs were killed before it was
 * written, or an old state was restored. Fields that they applied would stay for ever, whatever is declared.
 * @param known objects in the state; one without a field manager is taken over by this run
 */
export function formerlyManaged(plan: Planned<Pick<ClusterSnapshot, "managers">>, known: KnownObjects): Former[] {
  return severallyManaged(plan).flatMap((key) => {
    const { uid, managers } = plan.snapshot.managers?.get(key) ?? { uid: "", managers: new Map<string, unknown>() };
    const own = known.get(key);
    if (own === undefined || !managers.has(own)) {
      return [];
    }
    const others = [...managers].filter(([manager]) => manager !== own);
    const takesOff = others.some(([, fields]) => !isWithin(fields, managers.get(own)));
    return [{ ...objectNameOf(key), uid, managers: others.map(([manager]) => manager), takesOff }];
  });
}

/** Keys of declared objects that several managers have applied: none, on most clusters. */
export function severallyManaged(plan: Planned<Pick<ClusterSnapshot, "managers">>): string[] {
  const { managers } = plan.snapshot;
  return managers === undefined || managers.size === 0 ? [] : declaredKeys(plan).filter((key) => managers.has(key));
}

/** Reports only objects that lose fields; those that a run took over from a killed one lose none. */
export const formerManagers = (objects: readonly Former[]): Finding<"formerManagers">[] =>
  objects
    .filter(({ takesOff }) => takesOff)
    .map((object) => ({ code: "formerManagers", object: keyOf(object), facts: {} }));

/** Whether a manager's fields are all among another's. */
const isWithin = (fields: unknown, others: unknown): boolean =>
  !isMap(fields) ||
  (isMap(others) && Object.entries(fields).every(([key, inner]) => key in others && isWithin(inner, others[key])));
