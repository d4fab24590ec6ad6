import { type ObjectStore, objectStore } from "../../buckets/s3/objectStore.ts";
import type { Settings } from "../../config/settings.ts";
import { RunError } from "../../config/values/runError.ts";
import { sha256 } from "./contents.ts";
import { type ArchiveManifest, manifestIn, manifestName } from "./manifest.ts";

export function archiveStore({ stack, offboarding, storage }: Settings, signal: AbortSignal): ObjectStore {
  const { archive } = offboarding;
  if (archive === undefined || storage?.kind !== "s3") {
    throw new RunError(`Stack '${stack}' has no archive: set offboarding.archive (docs/run/archive.md).`);
  }
  const { secretAccessKey } = storage;
  if (secretAccessKey === undefined) {
    throw new RunError(`The secret key of stack '${stack}' to its S3 server (storage.secretAccessKey) can't be read.`);
  }
  return objectStore({ ...storage, secretAccessKey }, archive.bucket, signal);
}

export interface WholeArchive {
  readonly manifest: ArchiveManifest;
  readonly sha256: string;
  /** Lists in JSON by file name. */
  readonly files: ReadonlyMap<string, string>;
}

/**
 * Reads an archive, and compares every file with the manifest. @param expected SHA-256 of the manifest. Default: any
 */
export async function wholeArchive(store: ObjectStore, prefix: string, expected?: string): Promise<WholeArchive> {
  const files = new Map<string, string>();
  const checked = await checkedArchive(store, prefix, expected, (name, content) => {
    files.set(name, content.toString());
  });
  return { ...checked, files };
}

/** Compares an archive with its manifest, without keeping the files in memory. @param onFile gets each whole file */
export async function checkedArchive(
  store: ObjectStore,
  prefix: string,
  expected?: string,
  onFile: (name: string, content: Buffer) => void = () => undefined,
): Promise<Omit<WholeArchive, "files">> {
  const content = await store.get(prefix + manifestName);
  const manifest = content && manifestIn(content);
  const sum = content === undefined ? "" : sha256(content);
  if (manifest === undefined || (expected !== undefined && sum !== expected)) {
    const why = content === undefined ? "is not there" : "is not the one that was written";
    throw new RunError(`The archive '${prefix}' can't be used: ${prefix}${manifestName} ${why}.`);
  }
  const wrong: string[] = [];
  for (const { name, bytes, sha256: wanted } of manifest.files) {
    const file = await store.get(prefix + name, bytes);
    if (file === undefined || file.length !== bytes || sha256(file) !== wanted) {
      wrong.push(
        `${prefix}${name} ${file === undefined ? "is not there" : `is not as it was written (SHA-256 ${wanted})`}`,
      );
    } else {
      onFile(name, file);
    }
  }
  if (wrong.length > 0) {
    throw new RunError(`The archive '${prefix}' is damaged:\n${wrong.map((line) => `  ${line}`).join("\n")}`);
  }
  return { manifest, sha256: sum };
}
