/** What a run of a shard of some hundred members takes at most, with its program and the plugin, in bytes (docs/reference/performance.md). */
const memoryOfOne = 1.25 * 2 ** 30;
/** What is left to everything else. */
const share = 0.8;

/**
 * How many shards are run side by side: as many as there is memory for. Of their time, they spend much on waiting.
 * @param available bytes that this process may still take; default: what the machine or the container has
 */
export const sideBySide = (available: number = process.availableMemory()): number =>
  Math.max(1, Math.floor((available * share) / memoryOfOne));
