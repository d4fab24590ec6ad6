import type { Member, Settings } from "../../config/settings.ts";
import { bucketLabel, memberLabel } from "../../naming/labels.ts";
import { isOurs } from "../foreign.ts";
import { kubectlDelete } from "../kubectl.ts";
import { lackOfRoom } from "../room.ts";
import { type ClusterSnapshot, guardKey, type LiveGuard, type ObjectName } from "../snapshot.ts";
import { bucketObjectNames } from "./names.ts";

type OfStack = Pick<Settings, "stack" | "shards" | "storage">;
type Live = Pick<ClusterSnapshot, "guards">;

const keyOf = ({ kind, name, namespace }: ObjectName) => guardKey(kind, name, namespace);

/** What a run does about what stands in a member's namespace for their buckets. */
export interface BucketsPlan {
  readonly made: readonly ObjectName[];
  /** What is not there, and finds no room. */
  readonly leftOut: readonly ObjectName[];
  /** Why, with the way out. */
  readonly reasons: readonly string[];
}

/** To make what the member's quota has no room for would fail, and with it the run for everybody else. */
export function bucketsPlan(member: Member, settings: Pick<Settings, "storage">, { guards }: Live): BucketsPlan {
  const all = bucketObjectNames(member, settings);
  const absent = Map.groupBy(
    all.filter((object) => !guards.has(keyOf(object))),
    ({ kind }) => kind,
  );
  const full = [...absent].flatMap(([kind, objects]) => {
    const why = lackOfRoom(member, kind, { guards }, objects.length);
    return why === undefined ? [] : [{ objects, why }];
  });
  const leftOut = full.flatMap(({ objects }) => objects);
  return {
    made: all.filter((object) => !leftOut.includes(object)),
    leftOut,
    reasons: full.map(({ objects, why }) => `${objects.map(keyOf).join(" and ")} can't be made: ${why}`),
  };
}

/** One warning for all whose namespace has no room for it; none where there is room. */
export function bucketsWarning(members: readonly Member[], settings: OfStack, snapshot: Live): string | undefined {
  const lines = members.flatMap((member) =>
    bucketsPlan(member, settings, snapshot).reasons.map((reason) => `  ${member.name}: ${reason}`),
  );
  return lines.length === 0
    ? undefined
    : [
        "Buckets that nobody in the namespace can find, until there is room for what says where they are:",
        ...lines,
      ].join("\n");
}

/**
 * What stands under the name of what a bucket needs, and is somebody else's; with `adopt`, too, since nobody can change what
 * kubecamp makes there, and so nothing can become it.
 */
export function foreignBucketObjects(member: Member, settings: OfStack, { guards }: Live): string[] {
  return bucketObjectNames(member, settings).flatMap((object) => {
    const { kind, name, namespace } = object;
    const live = guards.get(keyOf(object));
    return live === undefined || isOwn(live, member, settings)
      ? []
      : [
          `${kind} '${namespace}/${name}' is there already, and not kubecamp's; call the bucket otherwise (name), or have the ` +
            `member rename it, or delete it if nobody needs it ('${kubectlDelete([object])}')`,
        ];
  });
}

/** Whether a run has made what stands under one of these names; also what has lost its labels since. */
export const isOwn = (live: LiveGuard, member: Pick<Member, "name">, settings: OfStack): boolean =>
  live.applied !== undefined ||
  (isOurs(live, settings) && live.labels[memberLabel] === member.name && live.labels[bucketLabel] !== undefined);
