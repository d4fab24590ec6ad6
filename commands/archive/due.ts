import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../../cluster/api/errors.ts";
import type { Member } from "../../config/member/member.ts";
import type { Configuration } from "../../config/settings.ts";
import { homeStackOf } from "../../config/shards.ts";
import type { SnapshotWaiting } from "./snapshots.ts";

/** Members to archive now, without those whom another shard removes: two archives of one would take two snapshots. */
export const dueIn = ({ settings: { stack, shards }, members }: Configuration): Member[] =>
  members.filter(
    ({ name, isUnarchived }) => isUnarchived && (shards === undefined || homeStackOf(name, shards) === stack),
  );

export type DueArchives = Awaited<ReturnType<typeof archiveDue>>;

interface DueParts {
  readonly signal: AbortSignal;
  readonly notify: (message: string) => void;
  /** Whether nobody more is to be begun with. Default: never. */
  readonly isOver?: () => boolean;
  /** Members that failed before: they come last, and get one look at each snapshot. Default: none. */
  readonly tryLast?: ReadonlySet<string>;
  /** Most looks at each snapshot, two seconds apart: the driver goes on, and the next archive finds it. Default: ten minutes of them. */
  readonly looks?: number;
  readonly pause?: SnapshotWaiting["pause"];
  /** Milliseconds after which an archive is given up. Default: never. */
  readonly longest?: number;
}

/** Looks at a snapshot that is being made: ten minutes at two seconds each. */
const patientLooks = 300;

/** Archives all whose day has come, one after the other; a failure keeps that member and stops no other. */
export async function archiveDue(
  { settings, members }: Configuration,
  { signal, notify, isOver = () => false, tryLast = new Set(), looks = patientLooks, pause, longest }: DueParts,
) {
  // Only here: most runs archive nobody, and the client of the bucket takes long to load.
  const { archiveMember } = await import("./archiveMember.ts");
  const { archiveStore } = await import("./store.ts");
  const archived: string[] = [];
  const failed: { member: string; why: string }[] = [];
  const left: string[] = [];
  const due = members.filter(({ isUnarchived }) => isUnarchived === true);
  for (const { name } of due.toSorted((a, b) => Number(tryLast.has(a.name)) - Number(tryLast.has(b.name)))) {
    if (isOver()) {
      left.push(name);
      continue;
    }
    notify(`Archiving ${name}…`);
    const each = longest === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(longest)]);
    try {
      const store = archiveStore(settings, each);
      await archiveMember(name, settings, {
        store,
        waiting: { signal: each, notify },
        snapshots: {
          ...snapshotWaiting(each, notify),
          ...(pause === undefined ? {} : { pause }),
          looks: tryLast.has(name) ? 1 : looks,
        },
      });
      archived.push(name);
    } catch (error) {
      signal.throwIfAborted();
      const tooLong = `it took more than ${Number(longest) / 1000} seconds: run 'kubecamp members archive ${name}'.`;
      failed.push({ member: name, why: each.aborted ? tooLong : messageOf(error) });
    }
  }
  return { archived, failed, left };
}

export const snapshotWaiting = (signal: AbortSignal, notify: (message: string) => void): SnapshotWaiting => ({
  pause: (milliseconds: number) => sleep(milliseconds, undefined, { signal }),
  looks: patientLooks,
  notify,
});

export const keptLines = ({ failed }: DueArchives): string[] =>
  failed.map(({ member, why }) => `${member} is not archived, and is kept: ${why}`);
