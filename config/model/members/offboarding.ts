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
