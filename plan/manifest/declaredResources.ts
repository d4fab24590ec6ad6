import type { LiveObject, NamedObject } from "../../cluster/kinds/liveObject.ts";
import { type ClusterSnapshot, type Found, liveOf } from "../../cluster/read/snapshot.ts";
import type { Member } from "../../config/model/settings.ts";
import { Drift } from "../compare/drift.ts";
import { adopting } from "../membership/adoption/adoption.ts";
import type { Planned } from "../plan.ts";
import { isRead } from "./manifest.ts";
import type { PlannedObject } from "./row.ts";
import { saidOf } from "./said.ts";

/** An object as a run would register it now, and what is there under its name. */
export interface DeclaredResource extends NamedObject {
  /** Undefined for what is not there. */
  readonly found: Found | undefined;
}

/**
 * All that a full run would register now, but for the stack, its provider and the components, and what asks a driver for
 * buckets: with the same mark of what was applied, and with a route for those whose path opens.
 */
export function declaredResources({ members, shared, snapshot }: Planned<ClusterSnapshot>): DeclaredResource[] {
  const drift = new Drift(snapshot, new Set(), adopting(members));
  const resources = (objects: readonly PlannedObject[], member?: Member) =>
    objects.filter(isRead).map((object): DeclaredResource => {
      const { part, apiVersion, kind, left } = object;
      // Without what is undefined, as it reaches the state.
      const plain = JSON.parse(JSON.stringify(saidOf(object, drift))) as Record<string, unknown>;
      const live = { ...plain, apiVersion, kind } as LiveObject;
      return { live, member: member?.name, part, left, found: liveOf(object, snapshot) };
    });
  return [...resources(shared), ...members.flatMap(({ member, objects }) => resources(objects, member))];
}
