import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { RunError } from "@pulumi/pulumi";
import { parse } from "yaml";
import { readKeptHomes } from "../../../cluster/read/keptHomes.ts";
import { adopt } from "../../../components/adopt.ts";
import { inspectCluster, refuse } from "../../../components/inspect.ts";
import { configurationOf } from "../../../config/sources/load.ts";
import type { Run } from "../../../plan/decide/run.ts";
import { pendingRoutes, statusesOf } from "../../../plan/findings/status.ts";
import { runWarnings } from "../../../plan/findings/warnings.ts";
import { warningsOf as worded } from "../../../plan/words/catalogue.ts";
import { repository } from "../../../sandbox/paths.ts";
import { withoutEngine } from "../../support/withoutEngine.ts";
import { withEnvironment } from "../support/withEnvironment.ts";
import type { TestStack } from "./stack.ts";
import { touchedBy } from "./touched.ts";

/**
 * The part of index.ts before it registers anything, run in this process against the real API server: the program's own
 * decisions need no `pulumi`.
 */

/** Environment and folder of a run. */
interface Surroundings {
  /** Variables that add to the sandbox's or replace them. */
  readonly env?: Readonly<Record<string, string>>;
  /** The project's folder. Default: the repository. */
  readonly folder?: string;
}

/** Expects preview and up to fail with these words before they register anything, and nothing to be touched. */
export async function refusedInProcess(
  stack: TestStack,
  words: readonly (string | RegExp)[],
  surroundings: Surroundings = {},
): Promise<void> {
  const touched = await touchedBy(stack, async () => {
    for (const isPreview of [true, false]) {
      assertSays(await refusalOf(stack, isPreview, surroundings), words);
    }
  });
  assert.deepEqual(touched, []);
}

/** The refusal of a preview or an up. Pulumi would show any error but a RunError with a stack trace. */
export async function refusalOf(
  stack: TestStack,
  isPreview: boolean,
  surroundings: Surroundings = {},
): Promise<string> {
  const error = await asRun(stack, isPreview, surroundings, () => look(stack, surroundings)).then(
    () => assert.fail(`${isPreview ? "a preview" : "an up"} of stack '${stack.name}' is not refused`),
    (cause: unknown) => cause,
  );
  assert.ok(RunError.isInstance(error), String(error));
  return error.message;
}

/** A preview's warnings before it makes anything, and its pending routes. */
export async function warningsOf(stack: TestStack, surroundings: Surroundings = {}): Promise<string> {
  return await asRun(stack, true, surroundings, async () => {
    const { plan, targeted, target, known } = await look(stack, surroundings);
    const adoption = await adopt(targeted);
    const pending = pendingRoutes(target.members, statusesOf(plan, target), new Set());
    return worded([...runWarnings(targeted, target, { adoption, known }), ...pending])
      .map(({ text }) => text)
      .join("\n");
  });
}

/** Expects each of the words in the text. */
export function assertSays(text: string, words: readonly (string | RegExp)[]): void {
  for (const word of words) {
    assert.ok(typeof word === "string" ? text.includes(word) : word.test(text), `${word} in\n${text}`);
  }
}

async function look(stack: TestStack, { folder = repository }: Surroundings): Promise<Run> {
  const run = await inspectCluster(await configurationOf(await stackConfig(stack), stack.name, folder, readKeptHomes));
  refuse(run);
  return run;
}

/** The stack's configuration as the engine passes it on: strings unchanged, everything else as JSON. */
async function stackConfig({ folder, name }: TestStack) {
  const { config } = parse(await readFile(join(folder, `Pulumi.${name}.yaml`), "utf8")) as {
    config: Readonly<Record<string, unknown>>;
  };
  const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  return {
    values: Object.fromEntries(Object.entries(config).map(([key, value]) => [key, text(value)])),
    secretKeys: [],
  };
}

/** Sets `process.env`, where the program and every `pulumi` that it starts read their environment, and the SDK's mocks. */
async function asRun<T>(
  { sandbox, name }: TestStack,
  isPreview: boolean,
  { env = {}, folder = repository }: Surroundings,
  action: () => Promise<T>,
): Promise<T> {
  return await withEnvironment({ ...sandbox.env, ...env }, async () => {
    const end = await withoutEngine(name, isPreview, folder);
    try {
      return await action();
    } finally {
      end();
    }
  });
}
