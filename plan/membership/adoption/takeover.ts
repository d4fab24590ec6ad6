import { isWrittenByMembers } from "../../../cluster/kinds/stackKinds.ts";
import { hostPathsOf } from "../../../cluster/read/hostPaths.ts";
import { kubectlDelete, kubectlEdit } from "../../../cluster/read/kubectl.ts";
import { contentOf, type Found, keyOf } from "../../../cluster/read/snapshot.ts";
import type { Member, Settings } from "../../../config/model/settings.ts";
import { namespaceName } from "../../../naming/names.ts";
import type { Classified } from "../../compare/classify.ts";
import { foreign, titleOf } from "../../compare/foreign.ts";
import type { Fixed, PlannedObject, ReadObject } from "../../manifest/row.ts";
import type { MemberPlan } from "../../memberPlan.ts";
import type { Planned } from "../../plan.ts";
import { isDoor } from "../../routes/drivers/drivers.ts";

type Own = Classified<ReadObject>;

/** What a run takes over: what it declares for a member with `adopt`, is there already, and is not ours. */
export const takenOver = ({ member, classified }: MemberPlan): Own[] =>
  member.adopt ? classified.filter(({ standing }) => standing === "toTakeOver") : [];

/**
 * What stands in the way of taking over what is under a member's names. Server-side apply makes nearly everything as it
 * is declared; where it can't, the plugin would fail in the middle of the run, or replace the object and so delete it.
 */
export function takeoverObstacles(plan: MemberPlan): string[] {
  const { member, settings, classified } = plan;
  const home = namespaceName(member);
  return [
    // What members can make themselves stops nobody's run: it is for who plans it to leave it out.
    ...classified
      .filter(({ object }) => object.namespace === home && !isWrittenByMembers(object))
      .flatMap(({ object, live }) => foreign(object, live, settings, member)),
    ...takenOver(plan).flatMap((own) => {
      if (isLeaving(own)) {
        return [`${titleOf(own.object)} is being deleted; wait until it is gone, then run again`];
      }
      const fixed = fixedPart(own, settings);
      return fixed === undefined ? [] : [`${titleOf(own.object)} ${fixed}, then run again`];
    }),
  ];
}

/** One warning for all that is taken over; none when nothing is. */
export function takeoverWarning({ members }: Pick<Planned, "members">): string | undefined {
  const lines = members.flatMap((plan) => {
    const { member } = plan;
    const names = takenOver(plan).map((own) => keyOf(own.object) + closedPaths(own, member));
    return names.length === 0 ? [] : [`  ${member.name}: ${names.join(", ")}`];
  });
  return lines.length === 0
    ? undefined
    : ["Taken over (adopt) by 'pulumi up', as they stand, without being deleted or made anew:", ...lines].join("\n");
}

/** What is on its way out goes all the same when it is taken over. What goes with a namespace, or is one, is for all to wait for. */
const isLeaving = ({ object, live }: Own): boolean =>
  live?.terminating === true &&
  object.lifetime !== "withNamespace" &&
  object.part !== "namespace" &&
  !object.isDeletable;

/** What of a live object can't be made as it is declared, if anything, and the way out. */
function fixedPart({ object, live }: Own, settings: Settings): string | undefined {
  const fixed = live && (otherRole(object, live) ?? object.fixedIn?.(live, settings));
  if (fixed === undefined) {
    return undefined;
  }
  const { why, way } = fixed;
  return way === undefined
    ? `${why}; delete it if nobody needs it ('${kubectlDelete([object])}')`
    : `${why}; ${way} ('${kubectlEdit(object)}')`;
}

function otherRole({ role }: ReadObject, live: Found): Fixed | undefined {
  const { roleRef } = contentOf(live) as { roleRef?: PlannedObject["role"] };
  return role === undefined || (roleRef?.kind === role.kind && roleRef.name === role.name)
    ? undefined
    : { why: `is to the ${roleRef?.kind} '${roleRef?.name}', and no binding can be changed to another` };
}

/** What led to more than the member's path leads to that path alone once it is taken over. */
function closedPaths({ object, live }: Own, { route }: Member): string {
  const closed = hostPathsOf(isDoor(object) ? contentOf(live) : {})
    .map(({ host, path }) => host + path)
    .filter((place) => route === undefined || place !== route.host + route.path);
  return closed.length === 0 ? "" : ` (no longer at ${closed.join(" and ")})`;
}
