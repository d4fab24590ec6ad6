import { resolve } from "node:path";
import { counted } from "../../cluster/kinds/nameList.ts";
import type { Configuration } from "../../config/settings.ts";
import { stacksOf } from "../../config/sources/shardSource.ts";
import { Problem } from "../common/problem.ts";
import { assertProject } from "../common/stackFile.ts";
import { openedOnce } from "../up/looking.ts";
import { type Archived, archiveMember } from "./archiveMember.ts";
import { snapshotWaiting } from "./due.ts";
import { archivesPrefix, type Manifest, manifestName } from "./manifest.ts";
import { type Restored, restoreMember } from "./restoreMember.ts";
import { archiveStore, wholeArchive } from "./store.ts";

interface ArchiveOptions {
  readonly stack: string;
  readonly output: "text" | "json";
}

interface RestoreOptions extends ArchiveOptions {
  /** Beginning of the archive's keys; undefined to list them. */
  readonly from?: string;
}

const notify = (message: string) => console.error(message);

/** Any stack of a split list has the settings and members of all. */
async function opened(stack: string): Promise<Configuration> {
  const folder = resolve(".");
  assertProject(folder);
  const [first = stack] = stacksOf(folder, stack);
  return (await openedOnce({ folder })(first)).configuration;
}

/**
 * Archives a member and prints what there is.
 * @throws Problem or RunError when the member is not archived
 */
export async function archive(name: string, { stack, output }: ArchiveOptions, signal: AbortSignal): Promise<void> {
  const { settings, members } = await opened(stack);
  const member = members.find((each) => each.name === name);
  if (member !== undefined && member.isUnarchived !== true) {
    throw new Problem(`'${name}' is not archived yet.`, {
      why:
        member.leaves === undefined
          ? "The member is in the list."
          : `The member has left the list, and can come back until ${member.leaves} (offboarding.graceDays).`,
      remedy:
        member.leaves === undefined
          ? `Remove the entry first: kubecamp members remove ${name} --stack ${stack}; then 'kubecamp up' archives them on their day.`
          : "Run this on that day or later, after a run has suspended the member; 'kubecamp up' does both.",
    });
  }
  const store = archiveStore(settings, signal);
  const parts = { store, waiting: { signal, notify }, snapshots: snapshotWaiting(signal, notify) };
  const archived = await archiveMember(name, settings, parts);
  console.log(output === "json" ? JSON.stringify(archived, null, 2) : archivedText(archived));
}

function archivedText({ mark, manifest, wasThere }: Archived): string {
  return [
    wasThere
      ? `The archive of ${manifest.member} is there, and whole:`
      : `Archived ${manifest.member}, and read it back:`,
    `  ${mark.prefix} in bucket ${mark.bucket}`,
    `  ${contentText(manifest)}`,
    "The next 'kubecamp up' deletes the namespace.",
  ].join("\n");
}

export function contentText({ files, volumes, secrets, snapshots = [] }: Manifest): string {
  const objects = files.reduce((sum, file) => sum + file.objects, 0);
  const kept = volumes.filter(({ kept: { as } }) => as !== "nothing");
  const lost = [
    ...volumes.filter(({ kept: { as } }) => as === "nothing").map(({ claim }) => claim),
    ...snapshots.map((name) => `VolumeSnapshot ${name}`),
  ];
  return [
    `${counted(objects, "object")}${secrets ? "" : " without Secrets"}, ${counted(kept.length, "volume")}`,
    ...(lost.length === 0 ? [] : [`no data of ${lost.join(", ")}`]),
  ].join("; ");
}

/**
 * Restores an archive, or lists those that there are, and prints what came of it.
 * @throws Problem or RunError when nothing was restored
 */
export async function restore(name: string, options: RestoreOptions, signal: AbortSignal): Promise<void> {
  const { stack, from, output } = options;
  const { settings } = await opened(stack);
  const store = archiveStore(settings, signal);
  if (from === undefined) {
    const prefix = archivesPrefix(settings.shards?.family ?? settings.stack, name);
    const keys = (await store.list(prefix)).filter((key) => key.endsWith(`/${manifestName}`));
    const found = keys.map((key) => key.slice(0, -manifestName.length));
    if (output === "json") console.log(JSON.stringify(found, null, 2));
    else if (found.length > 0) console.log(found.join("\n"));
    console.error(
      found.length === 0
        ? `There is no archive of '${name}': none is below ${prefix} in bucket ${settings.offboarding.archive?.bucket}.`
        : "Restore one with --from. It may be another member's.",
    );
    return;
  }
  const whole = await wholeArchive(store, from.endsWith("/") ? from : `${from}/`);
  const restored = await restoreMember(name, settings, whole, { signal, notify });
  console.log(output === "json" ? JSON.stringify(restored, null, 2) : restoredText(name, restored));
  if (restored.failed.length > 0) {
    process.exitCode = 1;
  }
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
