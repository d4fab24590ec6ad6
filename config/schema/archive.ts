import { z } from "zod";
import { defaultArchive } from "../model/settings/defaults.ts";
import { isBucketName } from "../rules/buckets/bucketName.ts";
import { bucketNameRule } from "./buckets.ts";
import { choiceOf, className, flag, text } from "./values.ts";

export const archiveSchema = z.strictObject(
  {
    bucket: text.refine(isBucketName, `must be a bucket's name: ${bucketNameRule}`).meta({
      description: "Bucket for archives on the server of `storage`. You create it; no member may have it.",
      examples: ["kubecamp-archive"],
    }),
    secrets: flag.optional().meta({
      description: "Whether Secrets are archived too.",
      default: defaultArchive.secrets,
    }),
    volumes: choiceOf(["retain", "snapshot", "none"]).optional().meta({
      description: "`retain` keeps the volumes, `snapshot` keeps a VolumeSnapshot of each, `none` deletes them.",
      default: defaultArchive.volumes,
    }),
    snapshotClass: className.optional().meta({
      description: "VolumeSnapshotClass, for `volumes: snapshot`. Default: the cluster's default.",
    }),
  },
  "must be a map with bucket",
);

/** The archive before a removal. */
export type ArchiveEntry = z.input<typeof archiveSchema>;
