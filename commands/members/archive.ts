import type { Command } from "commander";
import type { Member } from "../../config/member/member.ts";
import type { Configuration } from "../../config/settings.ts";
import { counted } from "../../config/values/sentences.ts";
import type { Archived } from "../archive/archiveMember.ts";
import type { ArchiveManifest } from "../archive/manifest.ts";
import { Problem } from "../common/problem.ts";
import { onOneCluster, outputOption, run } from "../common/run.ts";

const examples = `
Examples:
  $ kubecamp members archive kay --stack prod

The member must have left the list, and their day must have come
(offboarding.graceDays). The command writes the archive, checks it, and marks the
namespace, which the next up deletes. 'kubecamp up' and the watch do the same. A
whole archive stays as it is; a damaged one is written again.
Exit codes: 0 archived, 1 not archived, 2 wrong usage.
See docs/run/archive.md`;

export function addArchiveCommand(members: Command): void {
  members
    .command("archive")
    .description("Archive a member who has left the list, before the removal")
    .argument("<name>", "the member")
    .requiredOption("--stack <name>", "the member's stack, or the undivided stack of its shards")
    .addOption(outputOption("text", "json"))
    .addHelpText("after", examples)
    .action((name, options) => run((signal) => onOneCluster(() => archive(name, options, signal))));
}

export interface ArchiveOptions {
  readonly stack: string;
  readonly output: "text" | "json";
}

async function archive(name: string, { stack, output }: ArchiveOptions, signal: AbortSignal): Promise<void> {
  const { snapshotWaiting } = await import("../archive/due.ts");
  const { archiveMember } = await import("../archive/archiveMember.ts");
  const { archiveStore } = await import("../archive/store.ts");
  const { settings, members } = await openedConfiguration(stack);
  refuseStaying(
    members.find((member) => member.name === name),
    stack,
  );
  const store = archiveStore(settings, signal);
  const parts = { store, waiting: { signal, notify }, snapshots: snapshotWaiting(signal, notify) };
  const archived = await archiveMember(name, settings, parts);
  console.log(output === "json" ? JSON.stringify(archived, null, 2) : archivedText(archived));
}

export const notify = (message: string): void => console.error(message);

/** Reads a stack's configuration with Pulumi. Any stack of a split list has the settings and members of all. */
export async function openedConfiguration(stack: string): Promise<Configuration> {
  const { stacksOf } = await import("../../config/sources/shardSource.ts");
  const { assertProject } = await import("../common/stackFile.ts");
  const { openedOnce } = await import("../up/looking.ts");
  const folder = process.cwd();
  assertProject(folder);
  const [first = stack] = stacksOf(folder, stack);
  return (await openedOnce({ folder })(first)).configuration;
}

/** @throws Problem when a member is in the list, or their day has not come */
function refuseStaying(member: Member | undefined, stack: string): void {
  if (member === undefined || member.isUnarchived === true) {
    return;
  }
  const { name, leaves } = member;
  throw new Problem(
    `'${name}' is not archived yet.`,
    leaves === undefined
      ? {
          why: "The member is in the list.",
          remedy: `Remove the entry first: kubecamp members remove ${name} --stack ${stack}; then 'kubecamp up' archives them on their day.`,
        }
      : {
          why: `The member has left the list, and can come back until ${leaves} (offboarding.graceDays).`,
          remedy: "Run this on that day or later, after a run has suspended the member; 'kubecamp up' does both.",
        },
  );
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

export function contentText({ files, volumes, secrets, snapshots = [] }: ArchiveManifest): string {
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
