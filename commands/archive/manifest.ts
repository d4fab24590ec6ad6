import { randomUUID } from "node:crypto";
import { z } from "zod";
import { jsonIn } from "../../config/values/maps.ts";
import { type ArchiveFile, sha256 } from "./contents.ts";

const volumeSchema = z.object({
  claim: z.string(),
  storage: z.string(),
  kept: z.discriminatedUnion("as", [
    /** The volume itself outlives the namespace. */
    z.object({ as: z.literal("volume"), name: z.string() }),
    /** A snapshot does; handle and driver find it without the cluster's objects. */
    z.object({ as: z.literal("snapshot"), content: z.string(), driver: z.string(), handle: z.string() }),
    /** It had no volume yet, or the settings let it go. */
    z.object({ as: z.literal("nothing") }),
  ]),
});

const manifestSchema = z.object({
  version: z.literal(1),
  stack: z.string(),
  member: z.string(),
  uid: z.string(),
  made: z.string(),
  secrets: z.boolean(),
  files: z.array(z.object({ name: z.string(), objects: z.number(), bytes: z.number(), sha256: z.string() })),
  volumes: z.array(volumeSchema),
  /** Names of the member's own VolumeSnapshots, whose data ends with the namespace. */
  snapshots: z.array(z.string()).optional(),
});

export type ArchiveManifest = z.infer<typeof manifestSchema>;
export type ArchivedVolume = z.infer<typeof volumeSchema>;

export const manifestName = "manifest.json";

export const archivesPrefix = (stack: string, member: string) => `${stack}/${member}/`;

export const leavePrefix = (stack: string, member: string, leaves: string, uid: string) =>
  `${archivesPrefix(stack, member)}${leaves}-${uid}/`;

/** Beginning of the keys of a new archive, which no other has: two runs may archive a member at the same time. */
export const newPrefix = (ofLeave: string, made: Date) =>
  `${ofLeave}${made.toISOString().replaceAll(/[-:]|\.\d+/g, "")}-${randomUUID().slice(0, 8)}/`;

export const manifestOf = (
  about: Pick<ArchiveManifest, "stack" | "member" | "uid" | "made" | "secrets">,
  files: ArchiveManifest["files"],
  volumes: readonly ArchivedVolume[],
  snapshots: readonly string[] = [],
): ArchiveManifest => ({
  ...{ version: 1, ...about, files, volumes: [...volumes] },
  ...(snapshots.length === 0 ? {} : { snapshots: [...snapshots] }),
});

export const fileOf = ({ name, objects, content }: ArchiveFile): ArchiveManifest["files"][number] => ({
  ...{ name, objects, bytes: content.length, sha256: sha256(content) },
});

/** @returns undefined if the content is no manifest, or one of a later version of kubecamp */
export function manifestIn(content: Uint8Array | string): ArchiveManifest | undefined {
  const { success, data } = manifestSchema.safeParse(jsonIn(content.toString()));
  return success ? data : undefined;
}
