import { refusalOf } from "../../cluster/kinds/gatewayStatus.ts";
import { objectKey } from "../../cluster/kinds/objectName.ts";
import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import { titledKind } from "../../config/names/customKinds.ts";
import { namespaceName, serviceName } from "../../config/names/names.ts";
import { gatewayOf } from "../../config/route/route.ts";
import { isUnread } from "../live/unread.ts";
import type { Planned } from "../members/plan.ts";
import type { Finding } from "../words/finding.ts";

export const starterObstacles = ({ members }: Pick<Planned, "members">): Finding[] =>
  members.flatMap(({ member: { name }, starter }) =>
    starter?.obstacle === undefined
      ? []
      : [{ code: "starterInTheWay", member: name, facts: { reason: starter.obstacle } }],
  );

export const halfServed = ({ members }: Pick<Planned, "members">): Finding[] =>
  members.flatMap(({ member: { name }, isOpen, unservedBy: reason }) =>
    isOpen && reason !== undefined ? [{ code: "halfServed", member: name, facts: { reason } }] : [],
  );

export const bucketObstacles = ({ members }: Pick<Planned, "members">): Finding[] =>
  members.flatMap(({ member, buckets }) =>
    buckets.reasons.map((reason) => ({ code: "bucketInTheWay", member: member.name, facts: { reason } })),
  );

export const givenObstacles = ({ members }: Pick<Planned, "members">): Finding[] =>
  members.flatMap(({ member, takenObjects }) =>
    (takenObjects?.names ?? []).map((taken) => {
      const [kind = "", name = ""] = taken.split("/");
      const object = `${titledKind(kind)} ${namespaceName(member)}/${name}`;
      return { code: "objectInTheWay", member: member.name, object, facts: {} };
    }),
  );

export function mendedServices({ members }: Pick<Planned, "members">): Finding[] {
  return members.flatMap(({ member, service }): Finding[] => {
    if (service === undefined || !(service.isTakenOver || service.mends.length > 0)) {
      return [];
    }
    const object = `${namespaceName(member)}/${serviceName(member)}`;
    return [{ code: "serviceMended", member: member.name, object, facts: { mends: service.mends } }];
  });
}

/** Open routes that the Gateway does not serve, or the Gateway itself if it serves none. */
export function unattached({
  members,
  settings,
  snapshot: { gateway: live, managedObjects, unread },
}: Planned<Pick<ClusterSnapshot, "gateway" | "managedObjects" | "unread">>): Finding<"unserved">[] {
  const gateway = gatewayOf(settings);
  if (gateway === undefined || isUnread("Gateway", { unread })) {
    return [];
  }
  const code = "unserved";
  const named = `${gateway.namespace}/${gateway.name}`;
  if (live === undefined || live.terminating) {
    return [{ code, facts: { gateway: named, state: live === undefined ? "absent" : "terminating" } }];
  }
  const { unprogrammed } = live;
  const idle =
    unprogrammed === undefined ? [] : [{ code, facts: { gateway: named, state: { unprogrammed } } } as const];
  const refused = members.flatMap(({ member }): Finding<"unserved">[] => {
    const open = managedObjects.get(objectKey("HTTPRoute", member.name, namespaceName(member)));
    const refusal = open === undefined ? undefined : refusalOf(open.content, gateway);
    return refusal === undefined ? [] : [{ code, member: member.name, facts: { gateway: named, refusal } }];
  });
  return [...idle, ...refused];
}
