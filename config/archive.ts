import { z } from "zod";
import { bucketName } from "./storage/storage.ts";
import type { Valid } from "./values/issues.ts";
import { given } from "./values/maps.ts";
import { choiceOf, className, flag, optional } from "./values/values.ts";

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
