import { type ClusterSnapshot, keyOf, objectNameOf } from "../../../cluster/read/snapshot.ts";
import type { FormerlyManaged } from "../../../cluster/write/relinquish.ts";
import { isMap } from "../../../config/model/maps.ts";
import type { KnownObjects } from "../../decisions/unread/lastState.ts";
import type { Finding } from "../../messages/finding.ts";
import type { Planned } from "../../plan.ts";
import { declaredKeys } from "./owners.ts";

/** What earlier runs' field managers are to give up. */
interface Former extends FormerlyManaged {
  /** Whether something goes with it that the run which Pulumi's state knows has not applied. */
  readonly takesOff: boolean;
}

/**
 * What a run declares and earlier ones have applied under field managers that Pulumi's state does not know: they were killed
 * before it did, or an old state was restored. Each field that they applied would stay for ever, whatever is declared.
 * @param known what the state has; an object without a field manager is taken over by this run
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

/** Keys of what a run declares and several managers have applied: none, on most clusters. */
export function severallyManaged(plan: Planned<Pick<ClusterSnapshot, "managers">>): string[] {
  const { managers } = plan.snapshot;
  return managers === undefined || managers.size === 0 ? [] : declaredKeys(plan).filter((key) => managers.has(key));
}

/** Nobody need know of what is given up and stays: so it is of all that a run has taken over from one that was killed. */
export const formerManagers = (objects: readonly Former[]): Finding<"formerManagers">[] =>
  objects
    .filter(({ takesOff }) => takesOff)
    .map((object) => ({ code: "formerManagers", object: keyOf(object), facts: {} }));

/** Whether one manager's fields are all another's, too. */
const isWithin = (fields: unknown, others: unknown): boolean =>
  !isMap(fields) ||
  (isMap(others) && Object.entries(fields).every(([key, inner]) => key in others && isWithin(inner, others[key])));
