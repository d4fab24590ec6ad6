import { nameLines } from "../../../cluster/kinds/nameList.ts";
import type { Owned } from "../../../cluster/read/owners.ts";
import type { ClusterSnapshot } from "../../../cluster/read/snapshot.ts";
import { defaultOffboarding } from "../../../config/model/defaults.ts";
import type { Member, Settings } from "../../../config/model/settings.ts";
import { familyRemovedMembers, onTheirWay } from "./removedMembers.ts";

/**
 * Why a run may not remove those who leave: some are protected, or they are so many that the list looks truncated.
 * Whose namespace is all that is left and being deleted already was let go by an earlier run, and doesn't count. Of a list
 * that is split over stacks, all who leave any of them count for each.
 * @returns an obstacle each, with the names and the way out
 */
export function refusedRemovals(
  members: readonly Member[],
  settings: Settings,
  snapshot: Owned & Pick<ClusterSnapshot, "id">,
): string[] {
  if (settings.cluster.id !== undefined && settings.cluster.id !== snapshot.id) {
    // Another cluster, which stops the run by itself: who is there is not this stack's to count.
    return [];
  }
  const leaving = familyRemovedMembers(members, settings, snapshot).filter((removed) => !onTheirWay(removed));
  const names = leaving.map(({ name }) => name);
  const kept = leaving.filter(({ protect }) => protect).map(({ name }) => name);
  return [
    ...(kept.length > 0 ? [protectedRemoval(kept)] : []),
    ...(names.length > limitOf(members, settings) ? [tooManyRemovals(members, settings, names)] : []),
  ];
}

/** An empty list is what an emptied file looks like: it takes an outright permission. */
function limitOf(members: readonly Member[], { offboarding }: Settings): number {
  return offboarding.maxRemovals ?? (members.length === 0 ? 0 : defaultOffboarding.maxRemovals);
}

function protectedRemoval(names: readonly string[]): string {
  const [who, entry] =
    names.length === 1
      ? ["a protected member is", "the entry"]
      : [`${names.length} protected members are`, "the entries"];
  return `${who} no longer in the list, and can't be removed:
${nameLines(names, "      ")}
    Put ${entry} back. To remove them all the same, set 'protect: false' there and run 'pulumi up';
    then take ${entry} out and run it again.`;
}

function tooManyRemovals(members: readonly Member[], settings: Settings, names: readonly string[]): string {
  const limit = limitOf(members, settings);
  const many = names.length === 1 ? "1 member" : `${names.length} members`;
  const are = names.length === 1 ? "is" : "are";
  const [what, wayOut] =
    members.length === 0
      ? [
          `the list of members is empty, as if it had been truncated, and ${many} ${are} still here`,
          "Put the list back. If nobody is to stay, 'pulumi destroy' removes the whole stack. To keep the stack and remove",
        ]
      : [`${many} ${are} no longer in the list`, "Put back whoever is to stay. To remove"];
  return `${what}; a run may remove ${limit === 0 ? "none" : limit} (offboarding.maxRemovals):
${nameLines(names, "      ")}
    ${wayOut} ${many} with everything that is theirs, allow it for one run:
${allowance(settings, names.length)}`;
}

/** What allows so many removals for one run. */
function allowance({ stack, shards, offboarding }: Settings, count: number): string {
  const { maxRemovals } = offboarding;
  if (shards !== undefined) {
    const { family } = shards;
    // A shard takes its settings from a file that Pulumi's command line knows for another stack's.
    return `      have kubecamp:offboarding.maxRemovals be ${count} in Pulumi.${family}.yaml,
      kubecamp up --stack ${family}
      and have it be ${maxRemovals ?? defaultOffboarding.maxRemovals} again`;
  }
  const key = `--stack ${stack} --path kubecamp:offboarding.maxRemovals`;
  const before = maxRemovals === undefined ? `rm ${key}` : `set ${key} ${maxRemovals}`;
  return `      pulumi config set ${key} ${count}
      pulumi up --stack ${stack}
      pulumi config ${before}`;
}
