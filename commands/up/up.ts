import { resolve } from "node:path";
import { inParallel } from "../../cluster/inParallel.ts";
import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { Configuration } from "../../config/settings.ts";
import { stacksOf } from "../../config/sources/shardSource.ts";
import { withPages } from "../../config/values/pages.ts";
import { counted, firstFew } from "../../config/values/sentences.ts";
import { anotherCluster } from "../../plan/decide/obstacles.ts";
import { refusedRemovals } from "../../plan/decide/removals.ts";
import { leavingMembers } from "../../plan/findings/leaving.ts";
import { familyRemovedMembers, onTheirWay, removedMembers } from "../../plan/live/removedMembers.ts";
import { warningsOf } from "../../plan/words/catalogue.ts";
import { transfer } from "../../runs/state/transfer.ts";
import { archiveDue, dueIn, keptLines } from "../archive/due.ts";
import { assertProject } from "../common/stackFile.ts";
import { asked } from "../common/terminal.ts";
import { type Display, displayOn } from "./display.ts";
import { isFamily, stacksWith, upFamily } from "./family.ts";
import { Clusters, openedOnce } from "./looking.ts";
import { isFailure, resultJson, resultText } from "./resultText.ts";
import { sideBySide } from "./sideBySide.ts";
import { upStack } from "./upStack.ts";

export interface UpStackOptions {
  readonly stack: string;
  readonly folder: string;
  /** Names of members; empty: whatever differs. */
  readonly member: readonly string[];
  readonly all: boolean;
  readonly refresh: boolean;
  readonly parallel?: number;
}

interface UpOptions extends UpStackOptions {
  readonly output: "text" | "json";
  readonly yes: boolean;
}

/** Brings up what differs, and prints the results. The exit code is 1 if any stack is not as declared afterwards. */
export async function up(options: UpOptions, signal: AbortSignal): Promise<void> {
  const display = displayOn(process.stderr);
  const results = await upAll(options, display, signal).finally(() => display.close());
  if (results === undefined) {
    console.error("Nothing is deleted, and no run has started.");
    process.exitCode = 1;
    return;
  }
  const isJson = options.output === "json";
  console.log(
    isJson ? JSON.stringify(resultJson(results), null, 2) : withPages(resultText(results, process.stdout.columns)),
  );
  if (results.some(isFailure)) {
    process.exitCode = 1;
  }
}

/** Brings up what differs; undefined if somebody at the terminal does not want what it would delete. */
export async function upAll(options: UpOptions, display: Display, signal: AbortSignal) {
  const { stack, member: names, all, refresh } = options;
  const folder = resolve(options.folder);
  assertProject(folder);
  const stacks = stacksOf(folder, stack);
  const notify = (line: string) => display.notify(line);
  const first = await opened(folder, stacks);
  const isFewer = names.length === 0 && (await isAnybodyArchived(first.configuration, stack, { signal, notify }));
  // Members archived now leave with this run.
  const { open, configuration } = isFewer ? await opened(folder, stacks) : first;
  const parallel = options.parallel ?? sideBySide(configuration.members.length, stacks.length);
  // The cluster changes between rounds, so each reads it again.
  const round = (some: readonly string[], clusters = new Clusters(notify)) =>
    inParallel(some, parallel, (name) =>
      upStack(display.line(name), { open, asked: { members: names, all, refresh }, clusters, signal }),
    );
  const clusters = new Clusters(notify);
  if (names.length > 0) {
    return await round(stacksWith(names, { stack, stacks }, configuration, await clusters.of(configuration)), clusters);
  }
  // Where nobody can see the question or answer it, as in a pipeline, nobody is asked.
  const isAsked = !options.yes && options.output === "text" && process.stdin.isTTY && process.stderr.isTTY;
  const removal = isAsked ? removalOf(configuration, await clusters.of(configuration), stack) : undefined;
  if (removal !== undefined) {
    notify(removal.text);
    if (!(await asked(removal.question, signal))) {
      return undefined;
    }
  }
  if (!isFamily(configuration.settings, stack)) {
    // Much can change while a question waits for its answer.
    return await round(stacks, removal === undefined ? clusters : clusters.anew());
  }
  return await upFamily(stacks, {
    configuration,
    look: () => new Clusters(notify).of(configuration),
    transfer: (snapshot) => transfer(configuration, snapshot, { folder, notify }),
    round,
  });
}

/** Archives members whose day has come, of the stack or its family. @returns whether anybody is archived now */
async function isAnybodyArchived(
  configuration: Configuration,
  stack: string,
  parts: { readonly signal: AbortSignal; readonly notify: (line: string) => void },
): Promise<boolean> {
  const members = isFamily(configuration.settings, stack) ? configuration.members : dueIn(configuration);
  if (!members.some(({ isUnarchived }) => isUnarchived)) {
    return false;
  }
  const due = await archiveDue({ ...configuration, members }, parts);
  keptLines(due).forEach(parts.notify);
  return due.archived.length > 0;
}

/** The first configuration that can be opened, since all stacks share it; another stack's error must not stop them. */
async function opened(folder: string, stacks: readonly string[]) {
  const open = openedOnce({ folder });
  const errors: unknown[] = [];
  for (const stack of stacks) {
    try {
      return { open, configuration: (await open(stack)).configuration };
    } catch (error) {
      errors.push(error);
    }
  }
  throw errors[0];
}

/** Environments that an up deletes, to be asked about; undefined if there are none, or if the run refuses to. */
export function removalOf({ settings, members: list }: Configuration, snapshot: ClusterSnapshot, stack: string) {
  const removed = (isFamily(settings, stack) ? familyRemovedMembers : removedMembers)(list, settings, snapshot).filter(
    (one) => !onTheirWay(one),
  );
  const isRefused =
    anotherCluster(settings, snapshot) !== undefined || refusedRemovals(list, settings, snapshot).length > 0;
  if (removed.length === 0 || isRefused) {
    return undefined;
  }
  const names = removed.map(({ name }) => name);
  return {
    text: warningsOf(leavingMembers({ list, snapshot, removedMembers: removed }), "kubecamp up")
      .map(({ text }) => text)
      .join("\n"),
    question: `Delete ${counted(names.length, "environment")}, of ${firstFew(names, 5)}, for good?`,
  };
}
