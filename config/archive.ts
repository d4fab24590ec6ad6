import { z } from "zod";
import { defaultArchive } from "./defaults.ts";
import { bucketName } from "./storage/buckets.ts";
import { choiceOf, className, flag, optional } from "./values/values.ts";

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
