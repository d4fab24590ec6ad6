import type { Command } from "commander";
import type { ObjectStore } from "../../buckets/s3/objectStore.ts";
import type { Settings } from "../../config/settings.ts";
import { counted } from "../../config/values/sentences.ts";
import type { Restored } from "../archive/restoreMember.ts";
import { onOneCluster, outputOption, run } from "../common/run.ts";
import { type ArchiveOptions, notify, openedConfiguration } from "./archive.ts";

const examples = `
Examples:
  List the archives:
  $ kubecamp members restore kay --stack prod
  Restore what is in one of them:
  $ kubecamp members restore kay --stack prod --from prod/kay/2026-12-26-0b9c7f0e-6a51-4c6f-9c0e-2f1d3a4b5c6d/20261226T080012Z-5d1f0c7a/

First put the member into the list, and run 'up'. Existing objects stay as they are.
Exit codes: 0 listed or restored, 1 something could not be, 2 wrong usage.
See docs/run/archive.md`;

export function addRestoreCommand(members: Command): void {
  members
    .command("restore")
    .description("Restore an archive into a member's namespace")
    .argument("<name>", "the member")
    .requiredOption("--stack <name>", "the member's stack, or the undivided stack of its shards")
    .option("--from <archive>", "the archive to restore (default: list the member's archives)")
    .addOption(outputOption("text", "json"))
    .addHelpText("after", examples)
    .action((name, options) => run((signal) => onOneCluster(() => restore(name, options, signal))));
}

interface RestoreOptions extends ArchiveOptions {
  /** Beginning of the archive's keys; undefined to list them. */
  readonly from?: string;
}

async function restore(name: string, options: RestoreOptions, signal: AbortSignal): Promise<void> {
  const { archiveStore, wholeArchive } = await import("../archive/store.ts");
  const { restoreMember } = await import("../archive/restoreMember.ts");
  const { stack, from, output } = options;
  const { settings } = await openedConfiguration(stack);
  const store = archiveStore(settings, signal);
  if (from === undefined) {
    return await listArchives(name, settings, store, output);
  }
  const whole = await wholeArchive(store, from.endsWith("/") ? from : `${from}/`);
  const restored = await restoreMember(name, settings, whole, { signal, notify });
  console.log(output === "json" ? JSON.stringify(restored, null, 2) : restoredText(name, restored));
  if (restored.failed.length > 0) {
    process.exitCode = 1;
  }
}

async function listArchives(
  name: string,
  { shards, stack, offboarding }: Settings,
  store: ObjectStore,
  output: RestoreOptions["output"],
): Promise<void> {
  const { archivesPrefix, manifestName } = await import("../archive/manifest.ts");
  const prefix = archivesPrefix(shards?.family ?? stack, name);
  const keys = (await store.list(prefix)).filter((key) => key.endsWith(`/${manifestName}`));
  const found = keys.map((key) => key.slice(0, -manifestName.length));
  if (output === "json") {
    console.log(JSON.stringify(found, null, 2));
  } else if (found.length > 0) {
    console.log(found.join("\n"));
  }
  console.error(
    found.length === 0
      ? `There is no archive of '${name}': none is below ${prefix} in bucket ${offboarding.archive?.bucket}.`
      : "Restore one with --from. It may be another member's.",
  );
}

function restoredText(name: string, { created, there, leftOut, failed }: Restored): string {
  const lines = (title: string, objects: readonly string[]) =>
    objects.length === 0 ? [] : [title, ...objects.map((object) => `  ${object}`)];
  return [
    `Created ${counted(created.length, "object")} in namespace ${name}.`,
    ...lines("Exist already, and stay as they are:", there),
    ...lines(
      "Left out, because only kubecamp, admins and controllers write them, or their data is not in the archive:",
      leftOut,
    ),
    ...lines(
      "Not created:",
      failed.map(({ object, why }) => `${object}: ${why.replaceAll("\n", " ")}`),
    ),
  ].join("\n");
}
