import type { ApiObject, NamedObject } from "../../cluster/kinds/liveObject.ts";
import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { Member } from "../../config/model/settings.ts";
import { Drift } from "../compare/drift.ts";
import type { Planned } from "../plan.ts";
import type { PlannedObject } from "./row.ts";
import { saidOf } from "./said.ts";

/**
 * All that a full run would register now, but for the stack, its providers and the components, and what is on a server of
 * buckets: with the same mark of what was applied, and with a route for those whose path opens.
 */
export function declaredResources({ members, shared, snapshot }: Planned<ClusterSnapshot>): NamedObject[] {
  const drift = new Drift(snapshot, members);
  const resources = (objects: readonly PlannedObject[], member?: Member) =>
    objects.map((object): NamedObject => {
      const { part, apiVersion, kind, left } = object;
      // Without what is undefined, as it reaches the state.
      const plain = JSON.parse(JSON.stringify(saidOf(object, drift))) as Record<string, unknown>;
      const live = { ...plain, apiVersion, kind } as ApiObject;
      return { live, member: member?.name, part, left };
    });
  return [...resources(shared), ...members.flatMap(({ member, objects }) => resources(objects, member))];
}
