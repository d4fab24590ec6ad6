import { keyOf, objectKey } from "../../cluster/kinds/objectName.ts";
import { isWrittenByMembers } from "../../cluster/kinds/stackKinds.ts";
import { hostPathsOf } from "../../cluster/read/hostPaths.ts";
import { type ClusterSnapshot, contentOf, type Found } from "../../cluster/read/snapshot.ts";
import type { Member } from "../../config/member/member.ts";
import { adoptAnnotation } from "../../config/names/labels.ts";
import { namespaceName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import type { Unfit } from "../../objects/declared.ts";
import { isDoor } from "../../objects/route/drivers/drivers.ts";
import type { Classified } from "../live/classify.ts";
import { foreign, isOwnStack, objectTitle } from "../live/owner.ts";
import type { PlannedObject, ReadObject } from "../rows/row.ts";
import type { Finding } from "../words/finding.ts";
import type { MemberPlan } from "./memberPlan.ts";
import type { Planned } from "./plan.ts";

type Own = Classified<ReadObject>;

export const takenOver = ({ member, classified }: MemberPlan): Own[] =>
  member.adopt ? classified.filter(({ standing }) => standing === "toTakeOver") : [];

/** Where server-side apply can't make it as declared, the plugin would fail in the run, or replace and so delete it. */
export function takeoverObstacles(plan: MemberPlan): Finding<"foreign" | "unfit">[] {
  const { member, settings, classified } = plan;
  const home = namespaceName(member);
  return [
    // Objects that members can make themselves stop no run: the plan leaves theirs out.
    ...classified
      .filter(({ object }) => object.namespace === home && !isWrittenByMembers(object))
      .flatMap(({ object, live }) => foreign(object, live, settings, member)),
    ...takenOver(plan).flatMap((own): Finding<"unfit">[] => {
      const unfit = isLeaving(own) ? ({ why: "terminating" } as const) : fixedPart(own, settings);
      const { kind, name, namespace } = own.object;
      const facts = unfit && { name: { kind, name, namespace }, unfit };
      return facts === undefined
        ? []
        : [{ code: "unfit", member: member.name, object: objectTitle(own.object), facts }];
    }),
  ];
}

export const takeovers = ({ members }: Pick<Planned, "members">): Finding<"takenOver">[] =>
  members.flatMap((plan) => {
    const { member } = plan;
    return takenOver(plan).map(
      (own) =>
        ({
          code: "takenOver",
          member: member.name,
          object: keyOf(own.object),
          facts: { closed: closedPaths(own, member) },
        }) as const,
    );
  });

/** An object that is being deleted goes in spite of a takeover. A namespace, and what goes with it, has its own check. */
const isLeaving = ({ object, live }: Own): boolean =>
  live?.terminating === true &&
  object.lifetime !== "withNamespace" &&
  object.part !== "namespace" &&
  !object.isDeletable;

function fixedPart({ object, live }: Own, settings: Settings): Unfit | undefined {
  return live && (otherRole(object, live) ?? object.fixedIn?.(live, settings));
}

function otherRole({ role }: ReadObject, live: Found): Unfit | undefined {
  const { roleRef } = contentOf(live) as { roleRef?: PlannedObject["role"] };
  return role === undefined || (roleRef?.kind === role.kind && roleRef.name === role.name)
    ? undefined
    : { why: "role", role: `${roleRef?.kind} '${roleRef?.name}'` };
}

/** Addresses other than the member's path at which an object serves until it is taken over. */
function closedPaths({ object, live }: Own, { route }: Member): string[] {
  return hostPathsOf(isDoor(object) ? contentOf(live) : {})
    .map(({ host, path }) => host + path)
    .filter((place) => route === undefined || place !== route.host + route.path);
}

/** Whoever may edit that file alone must not get access to any namespace, or to an object beside the controller. */
export function unmarkedTakeover(
  plan: MemberPlan,
  { managedObjects }: Pick<ClusterSnapshot, "managedObjects">,
): Finding<"unmarked">[] {
  const { member, settings } = plan;
  const home = managedObjects.get(objectKey("Namespace", namespaceName(member)));
  const objects = takenOver(plan).filter(({ object }) => object.namespace !== namespaceName(member));
  if (member.needsMark !== true || objects.length === 0 || isMarked(home?.annotations, settings)) {
    return [];
  }
  const facts = {
    objects: objects.map(({ object }) => keyOf(object)),
    isHomeThere: home !== undefined,
    stack: settings.shards?.family ?? settings.stack,
  };
  return [{ code: "unmarked", member: member.name, facts }];
}

function isMarked(annotations: Readonly<Record<string, string>> | undefined, settings: Settings): boolean {
  const mark = annotations?.[adoptAnnotation];
  return isOwnStack(mark, settings) || (mark !== undefined && mark === settings.shards?.family);
}
