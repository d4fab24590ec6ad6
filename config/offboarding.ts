import { z } from "zod";
import type { Settings } from "./settings.ts";
import { bucketName } from "./storage/storage.ts";
import type { Valid } from "./values/issues.ts";
import { given } from "./values/maps.ts";
import { choiceOf, className, flag, optional } from "./values/values.ts";

/** Rules for removals. */
export interface OffboardingSettings {
  /** Most members that a run removes. Default: 3, but none if the list is empty, which is how a truncated file looks. */
  readonly maxRemovals?: number;
  /** Days between leaving the list and removal, in which a member is suspended. Default: 0, which removes at once. */
  readonly graceDays?: number;
  /** Names of members who have left the list and are removed without waiting. Default: none. */
  readonly removeNow?: readonly string[];
  /** Archive that has to exist before a member is removed. Default: none. */
  readonly archive?: ArchiveSettings;
}

/** Archive of a member's namespace before its deletion. */
export interface ArchiveSettings {
  /** Bucket on the stack's S3 server, which kubecamp doesn't make. */
  readonly bucket: string;
  /** Whether Secrets are archived too. */
  readonly secrets: boolean;
  /**
   * Fate of volumes: they outlive the namespace (`retain`), a snapshot of each does (`snapshot`), or they go
   * with it (`none`).
   * @see https://kubernetes.io/docs/concepts/storage/persistent-volumes/#reclaiming
   */
  readonly volumes: "retain" | "snapshot" | "none";
  /** VolumeSnapshotClass of snapshots. Default: the cluster's default for the volume's driver. */
  readonly snapshotClass?: string;
}

/** Most members that a run removes, and the defaults for members who leave these out. */
export const defaultOffboarding = { maxRemovals: 3, graceDays: 0, protect: false, adopt: false } as const;

export const defaultArchive = { secrets: false, volumes: "retain" } as const satisfies Partial<ArchiveSettings>;

export const archiveSchema = z.strictObject(
  {
    bucket: bucketName.meta({
      description: "Bucket for archives on the server of `storage`. You create it; no member may have it.",
      examples: ["kubecamp-archive"],
    }),
    secrets: optional(flag, "Whether Secrets are archived too.", { default: defaultArchive.secrets }),
    volumes: optional(
      choiceOf(["retain", "snapshot", "none"]),
      "`retain` keeps the volumes, `snapshot` keeps a VolumeSnapshot of each, `none` deletes them.",
      { default: defaultArchive.volumes },
    ),
    snapshotClass: optional(className, "VolumeSnapshotClass, for `volumes: snapshot`. Default: the cluster's default."),
  },
  "must be a map with bucket",
);

/** The archive before a removal. */
export type ArchiveEntry = z.input<typeof archiveSchema>;

export const archiveOf = ({ bucket = "", ...entry }: Valid<ArchiveEntry>): ArchiveSettings => ({
  bucket,
  ...defaultArchive,
  ...given(entry, "secrets", "volumes", "snapshotClass"),
});

/** Whether members who leave the list are suspended before their removal. */
export const hasGrace = ({ offboarding: { graceDays = 0, archive } }: Pick<Settings, "offboarding">): boolean =>
  graceDays > 0 || archive !== undefined;
