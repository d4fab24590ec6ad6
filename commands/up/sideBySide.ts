/**
 * Peak memory in bytes of a run for a shard of some hundred members, with its program and the plugin
 * (docs/reference/performance.md).
 */
const memoryOfOne = 1.25 * 2 ** 30;
/** Share of the available memory for runs; the rest is for everything else. */
const share = 0.8;

/**
 * Number of shards to run side by side: as many as memory allows, since they mostly wait.
 * @param available bytes that this process may still take; default: the machine's or container's
 */
export const sideBySide = (available: number = process.availableMemory()): number =>
  Math.max(1, Math.floor((available * share) / memoryOfOne));
