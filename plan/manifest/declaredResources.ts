import type { ApiObject, NamedObject } from "../../cluster/kinds/liveObject.ts";
import type { ClusterSnapshot } from "../../cluster/read/snapshot/snapshot.ts";
import type { Member } from "../../config/model/members/member.ts";
import { Drift } from "../compare/drift.ts";
import type { Planned } from "../plan.ts";
import { declaredOf } from "./declaredOf.ts";
import type { PlannedObject } from "./row.ts";

/**
 * All objects that a full run would register now, with the same applied annotation and the routes of paths that open.
 * Without the stack, its providers, the components, and resources on an S3 server.
 */
export function declaredResources({ members, shared, snapshot }: Planned<ClusterSnapshot>): NamedObject[] {
  const drift = new Drift(snapshot, members);
  const resources = (objects: readonly PlannedObject[], member?: Member) =>
    objects.map((object): NamedObject => {
      const { part, apiVersion, kind, ignored } = object;
      // JSON drops undefined fields, as Pulumi's state does.
      const plain = JSON.parse(JSON.stringify(declaredOf(object, drift))) as Record<string, unknown>;
      const live = { ...plain, apiVersion, kind } as ApiObject;
      return { live, member: member?.name, part, ignored };
    });
  return [...resources(shared), ...members.flatMap(({ member, objects }) => resources(objects, member))];
}
