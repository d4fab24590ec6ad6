import assert from "node:assert/strict";
import { atRest, inventory } from "./inventory.ts";
import type { Run, TestStack } from "./stack.ts";

/**
 * Preview and up both fail with these words and without a stack trace, and nothing on the cluster or in the state is
 * touched.
 * @param cwd the project's folder, if it is not the repository
 * @returns what preview and up printed
 */
export async function refused(
  stack: TestStack,
  words: readonly (string | RegExp)[],
  { env = {}, cwd }: { env?: Record<string, string>; cwd?: string } = {},
): Promise<readonly string[]> {
  await atRest(stack.sandbox);
  const then = await inventory(stack.sandbox);
  const urns = await stack.urns();
  const runs: readonly Run[] = await Promise.all([
    stack.run(["preview"], env, cwd),
    stack.run(["up", "--yes", "--skip-preview"], env, cwd),
  ]);
  for (const run of runs) {
    assert.notEqual(run.exitCode, 0, run.output);
    for (const word of words) {
      assert.ok(
        typeof word === "string" ? run.output.includes(word) : word.test(run.output),
        `${word} in\n${run.output}`,
      );
    }
    assert.doesNotMatch(run.output, /^\s+at .*:\d+:\d+\)?$/m);
  }
  assert.deepEqual(await inventory(stack.sandbox), then);
  assert.deepEqual(await stack.urns(), urns);
  return runs.map(({ output }) => output);
}
