import type { ArchiveSettings, Settings } from "../settings/settings.ts";

/** A member's namespace on the cluster, with what runs keep there for the time after the member leaves the list. */
export interface KeptHome {
  /** Name of the member. */
  readonly member: string;
  /** Whether removal is refused. */
  readonly protect: boolean;
  /** First day on which a run removes the member, as `2026-12-31`; undefined before a run has seen them missing. */
  readonly leaves?: string;
  /** Mark of an archive that was verified after the member had left; undefined without one. */
  readonly archive?: ArchiveMark;
  /** Whether the member's objects are no longer those that the archive has. */
  readonly isChanged?: true;
  /** Objects that the member was given, as the namespace lists them, except their own; undefined without any. */
  readonly given?: readonly string[];
  /** The member's last entry as JSON; undefined if none was kept. */
  readonly entry?: string;
}

/** A text with the member's entry may have so many bytes: all annotations of an object together have 256 KiB. */
export const longestEntry = 64 * 1024;

/** A verified archive, as the namespace's annotation has it. */
export interface ArchiveMark {
  readonly bucket: string;
  /** Beginning of the keys of its objects, with `/` at the end. */
  readonly prefix: string;
  /** SHA-256 of its manifest, in hexadecimal. */
  readonly sha256: string;
  /** The day on the namespace at that time: after another leave, the archive is out of date. */
  readonly leaves: string;
  /** Archived content by the settings (`askedOf`). */
  readonly asked: string;
  /** Digest of the objects that it has (`homeStateOf`). */
  readonly state: string;
}

/** Content of an archive by the settings, such as `retain` or `snapshot, secrets`. */
export const askedOf = ({ volumes, secrets }: Pick<ArchiveSettings, "volumes" | "secrets">): string =>
  secrets ? `${volumes}, secrets` : volumes;

/** Whether an archive counts: not one from before they were back in the list, in another bucket, or asked for less. */
export const isCurrent = (
  mark: ArchiveMark | undefined,
  leaves: string | undefined,
  archive: ArchiveSettings,
): boolean =>
  mark !== undefined && mark.leaves === leaves && mark.bucket === archive.bucket && mark.asked === askedOf(archive);

/** Whether members who leave the list are suspended before their removal. */
export const hasGrace = ({ offboarding: { graceDays = 0, archive } }: Pick<Settings, "offboarding">): boolean =>
  graceDays > 0 || archive !== undefined;
