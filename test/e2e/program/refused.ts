import assert from "node:assert/strict";
import type { StateResource } from "../support/engine/folderBackend.ts";
import { assertSays } from "./inProcess.ts";
import type { Run, TestStack } from "./stack.ts";
import { touchedBy } from "./touched.ts";

/**
 * Expects preview and up to fail with these words and without a stack trace, and nothing on the cluster or in the state to
 * be touched.
 * @param cwd the project's folder. Default: the repository
 * @returns output of preview and up
 */
export async function refused(
  stack: TestStack,
  words: readonly (string | RegExp)[],
  { env = {}, cwd }: { env?: Record<string, string>; cwd?: string } = {},
): Promise<readonly string[]> {
  const resources = (await stack.resources()).map(withoutSource);
  let runs: readonly Run[] = [];
  const touched = await touchedBy(stack, async () => {
    runs = await Promise.all([
      stack.run(["preview"], env, cwd),
      stack.run(["up", "--yes", "--skip-preview"], env, cwd),
    ]);
  });
  for (const run of runs) {
    assert.notEqual(run.exitCode, 0, run.output);
    assertSays(run.output, words);
    assert.doesNotMatch(run.output, /^\s+at .*:\d+:\d+\)?$/m);
  }
  assert.deepEqual(touched, []);
  assert.deepEqual((await stack.resources()).map(withoutSource), resources);
  return runs.map(({ output }) => output);
}

/** A resource without the location of the code that made it. */
const withoutSource = (resource: StateResource) => ({ ...resource, sourcePosition: undefined, stackTrace: undefined });
