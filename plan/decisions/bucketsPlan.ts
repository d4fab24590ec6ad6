import { bucketObjectNames } from "../../cluster/kinds/bucketKinds.ts";
import { keyOf, kubectlDelete, type ObjectName } from "../../cluster/kinds/objectName.ts";
import type { ClusterSnapshot, ManagedObject } from "../../cluster/read/snapshot.ts";
import type { Member } from "../../config/member/member.ts";
import { bucketLabel } from "../../config/names/labels.ts";
import type { Settings } from "../../config/settings.ts";
import { isMadeFor } from "../live/owner.ts";
import { isAbsent, isUnread } from "../live/unread.ts";
import { lackOfHeadroom } from "./quotaHeadroom.ts";
import { newPages, type StarterPlan } from "./starterPlan.ts";

type OfStack = Pick<Settings, "stack" | "shards" | "storage">;
type Live = Pick<ClusterSnapshot, "managedObjects" | "unread">;

export interface BucketsPlan {
  readonly made: readonly ObjectName[];
  /** Objects that a run made and that are somebody else's by now: still registered, and left unchanged. */
  readonly left: readonly ObjectName[];
  /** Objects that are absent and have no room, or were somebody else's before. */
  readonly leftOut: readonly ObjectName[];
  readonly reasons: readonly string[];
}

/** An obstacle concerns only that member: to make an object without room would fail the run for everybody else. */
export function bucketsPlan(
  member: Member,
  starter: StarterPlan | undefined,
  settings: OfStack,
  { managedObjects, unread }: Live,
): BucketsPlan {
  const all = bucketObjectNames(member, settings);
  // Nothing is reported of kinds that nobody could read.
  const isThere = (object: ObjectName) => !isAbsent(object, { managedObjects, unread });
  const isOurs = (object: ObjectName) => {
    const live = managedObjects.get(keyOf(object));
    return live === undefined ? isUnread(object.kind, { unread }) : isOwn(live, member, settings);
  };
  const strange = all.filter((object) => isThere(object) && !isOurs(object));
  // A run makes both or neither: Pulumi's state has this one too, and would delete it by name if it were not registered.
  const left = strange.filter(({ name }) => all.some((other) => other.name === name && isOurs(other)));
  const absent = all.filter((object) => !isThere(object));
  const full = [...Map.groupBy(absent, ({ kind }) => kind)].flatMap(([kind, objects]) => {
    // The starter app's pages take their room first.
    const others = kind === "ConfigMap" ? newPages(member, starter, { managedObjects }) : 0;
    const why = lackOfHeadroom(member, kind, { managedObjects }, { more: objects.length + others });
    return why === undefined ? [] : [{ objects, why }];
  });
  const leftOut = [...full.flatMap(({ objects }) => objects), ...strange.filter((object) => !left.includes(object))];
  return {
    made: all.filter((object) => !leftOut.includes(object) && !left.includes(object)),
    left,
    leftOut,
    reasons: [
      ...full.map(({ objects, why }) => `${objects.map(keyOf).join(" and ")} can't be made: ${why}`),
      ...strange.map(strangeText),
    ],
  };
}

export const newConfigMaps = (
  { made }: Pick<BucketsPlan, "made">,
  { managedObjects }: Pick<ClusterSnapshot, "managedObjects">,
): number => made.filter((object) => object.kind === "ConfigMap" && !managedObjects.has(keyOf(object))).length;

/** The object in the way. `adopt` doesn't take it over: kubecamp's own can't be changed, so nothing can become it. */
export function strangeText(object: ObjectName): string {
  const { kind, name, namespace } = object;
  return (
    `${kind} '${namespace}/${name}' is there, and not kubecamp's; call the bucket otherwise (name), or have the member rename ` +
    `it, or delete it if nobody needs it ('${kubectlDelete([object])}')`
  );
}

export const isOwn = (live: ManagedObject, member: Pick<Member, "name">, settings: OfStack): boolean =>
  isMadeFor(member, live, settings) && (live.applied !== undefined || live.labels[bucketLabel] !== undefined);
