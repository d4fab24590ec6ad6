import { createHash } from "node:crypto";
import type { ServedKind } from "../../cluster/read/servedKinds.ts";
import { isTheirs, resourceName, type WholeObject } from "../../cluster/read/theirObjects.ts";
import { compare } from "../../config/values/sentences.ts";

/** A file of an archive: all of a member's objects of a kind. */
export interface ArchiveFile {
  /** Such as `objects/deployments.apps.json`. */
  readonly name: string;
  /** Number of objects. */
  readonly objects: number;
  /** A List in JSON, as kubectl takes it, in UTF-8. */
  readonly content: Buffer;
}

/** An object of a file. As bytes: objects take thirty times as much memory, and a text with one Chinese letter twice. */
export interface ArchivedObject {
  readonly name: string;
  /** JSON in UTF-8. */
  readonly json: Buffer;
}

/** A listed object as an archive has it; undefined if it is not the member's. */
export function archivedObject(kind: ServedKind, object: WholeObject): ArchivedObject | undefined {
  if (!isTheirs({ ...object, kind: kind.kind })) {
    return undefined;
  }
  // Items of a list have no kind of their own. Field managers are of no use without the API server that they talked to.
  const { apiVersion: _, kind: __, metadata: { managedFields: ___, ...metadata } = {}, ...rest } = object;
  const whole = { apiVersion: kind.apiVersion, kind: kind.kind, metadata, ...rest };
  return { name: metadata.name ?? "", json: Buffer.from(JSON.stringify(whole)) };
}

/** A member's objects of a kind as a file, a line for each; undefined if there are none. */
export function archiveFile(kind: ServedKind, objects: readonly ArchivedObject[]): ArchiveFile | undefined {
  if (objects.length === 0) {
    return undefined;
  }
  const items = objects
    .toSorted((a, b) => compare(a.name, b.name))
    .flatMap(({ json }, at) => [Buffer.from(at === 0 ? "" : ",\n"), json]);
  const content = Buffer.concat([
    Buffer.from('{"apiVersion":"v1","kind":"List","items":[\n'),
    ...items,
    Buffer.from("\n]}\n"),
  ]);
  return { name: `objects/${resourceName(kind)}.json`, objects: objects.length, content };
}

/** SHA-256 in hexadecimal. */
export const sha256 = (content: string | Uint8Array): string => createHash("sha256").update(content).digest("hex");
