import { bucketObjectNames } from "../../../cluster/kinds/bucketKinds.ts";
import { kubectlDelete } from "../../../cluster/read/kubectl.ts";
import { type ClusterSnapshot, keyOf, type ManagedObject, type ObjectName } from "../../../cluster/read/snapshot.ts";
import type { Member, Settings } from "../../../config/model/settings.ts";
import { bucketLabel } from "../../../naming/labels.ts";
import { isMadeFor } from "../../compare/foreign.ts";
import { lackOfHeadroom } from "../quotaHeadroom.ts";
import { newPages, type StarterPlan } from "../starter/plan.ts";
import { isAbsent, isUnread } from "../unread/unread.ts";

type OfStack = Pick<Settings, "stack" | "shards" | "storage">;
type Live = Pick<ClusterSnapshot, "managedObjects" | "unread">;

/** What a run does about what stands in a member's namespace for their buckets. */
export interface BucketsPlan {
  readonly made: readonly ObjectName[];
  /** What is somebody else's by now, though a run had made it: registered on, and left as it stands. */
  readonly left: readonly ObjectName[];
  /** What is not there, and finds no room, or was somebody else's before. */
  readonly leftOut: readonly ObjectName[];
  /** Why it is not all made, with the way out. */
  readonly reasons: readonly string[];
}

/**
 * Whatever is in the way of one member's is their trouble alone: to make what has no room would fail, and with it the run for
 * everybody else.
 */
export function bucketsPlan(
  member: Member,
  starter: StarterPlan | undefined,
  settings: OfStack,
  { managedObjects, unread }: Live,
): BucketsPlan {
  const all = bucketObjectNames(member, settings);
  // Of what nobody could look at, nothing is said.
  const isThere = (object: ObjectName) => !isAbsent(object, { managedObjects, unread });
  const isOurs = (object: ObjectName) => {
    const live = managedObjects.get(keyOf(object));
    return live === undefined ? isUnread(object.kind, { unread }) : isOwn(live, member, settings);
  };
  const strange = all.filter((object) => isThere(object) && !isOurs(object));
  // Both are made, and neither goes alone: Pulumi's state has it, and would delete it by its name if it were not registered.
  const left = strange.filter(({ name }) => all.some((other) => other.name === name && isOurs(other)));
  const full = [
    ...Map.groupBy(
      all.filter((object) => !isThere(object)),
      ({ kind }) => kind,
    ),
  ].flatMap(([kind, objects]) => {
    // The starter app's pages take their room first.
    const others = kind === "ConfigMap" ? newPages(member, starter, { managedObjects }) : 0;
    const why = lackOfHeadroom(member, kind, { managedObjects }, objects.length + others);
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

/** How many ConfigMaps a run makes for a member's buckets that are not there. */
export const newConfigMaps = (
  { made }: Pick<BucketsPlan, "made">,
  { managedObjects }: Pick<ClusterSnapshot, "managedObjects">,
): number => made.filter((object) => object.kind === "ConfigMap" && !managedObjects.has(keyOf(object))).length;

/** What is in the way of an object. With `adopt`, too, since nobody can change what kubecamp makes there, and so nothing can become it. */
export function strangeText(object: ObjectName): string {
  const { kind, name, namespace } = object;
  return (
    `${kind} '${namespace}/${name}' is there, and not kubecamp's; call the bucket otherwise (name), or have the member rename ` +
    `it, or delete it if nobody needs it ('${kubectlDelete([object])}')`
  );
}

/** Whether a run has made what stands under one of these names; also what has lost its labels since. */
export const isOwn = (live: ManagedObject, member: Pick<Member, "name">, settings: OfStack): boolean =>
  isMadeFor(member, live, settings) && (live.applied !== undefined || live.labels[bucketLabel] !== undefined);
