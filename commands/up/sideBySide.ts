import { memoryOf } from "../../plan/findings/unsplit.ts";

/** Share of the available memory for runs; the rest is for everything else. */
const share = 0.8;

/** Members of a shard when the list can't be read. */
const usual = 125;

/**
 * Number of stacks to run side by side: as many as memory allows, since runs mostly wait.
 * @param members number of members of the list; undefined if it can't be read
 * @param stacks number of stacks that share them
 * @param available bytes that this process may still take; default: the machine's or container's
 */
export function sideBySide(members: number | undefined, stacks: number, available = process.availableMemory()): number {
  const each = members === undefined ? usual : Math.ceil(members / Math.max(1, stacks));
  return Math.max(1, Math.floor((available * share) / (memoryOf(each) * 2 ** 30)));
}
