import { titledKind } from "../../config/names/customKinds.ts";
import { namespaceName, serviceName } from "../../config/names/names.ts";
import type { Planned } from "../members/plan.ts";
import type { Finding } from "../words/finding.ts";

export const starterObstacles = ({ members }: Pick<Planned, "members">): Finding[] =>
  members.flatMap(({ member: { name }, starter }) =>
    starter?.obstacle === undefined
      ? []
      : [{ code: "starterInTheWay", member: name, facts: { reason: starter.obstacle } }],
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
