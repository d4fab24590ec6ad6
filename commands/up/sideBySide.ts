import { membersOfShard, memoryOf } from "../../plan/findings/list.ts";

const share = 0.8;

/** Number of stacks to run side by side: as many as memory allows, since runs mostly wait. */
export function sideBySide(members: number | undefined, stacks: number, available = process.availableMemory()): number {
  // A shard may have more than the mean, and smaller ones were never measured.
  const each = Math.max(membersOfShard, Math.ceil((members ?? 0) / Math.max(1, stacks)));
  return Math.max(1, Math.floor((available * share) / (memoryOf(each) * 2 ** 30)));
}
