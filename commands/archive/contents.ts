import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { parse, stringify } from "yaml";
import { compare } from "../../cluster/kinds/compare.ts";
import { isTheirs, resourceName, type WholeObject } from "../../cluster/read/homes/theirObjects.ts";
import type { ServedKind } from "../../cluster/read/server/servedKinds.ts";

/** A file of an archive: all of a member's objects of a kind. */
export interface ArchiveFile {
  /** Such as `objects/deployments.apps.yaml`. */
  readonly name: string;
  /** Number of objects. */
  readonly objects: number;
  /** YAML documents, in UTF-8. */
  readonly content: Buffer;
}

/** An object of a file. As bytes: objects take thirty times as much memory, and a text with one Chinese letter twice. */
export interface ArchivedObject {
  readonly name: string;
  /** JSON in UTF-8. */
  readonly json: Buffer;
}

/** kubectl reads YAML 1.1, in which an unquoted `on` or `1:30` is no text; in YAML 1.2 `0o17` is none. */
const yamlForAll = {
  version: "1.1",
  compat: "core",
  aliasDuplicateObjects: false,
  lineWidth: 0,
  blockQuote: "literal",
} as const;

/**
 * Bytes of JSON up to which an object is written for people. To write more as YAML, and read it again, would keep a watch from
 * answering its probes: a leaver may have hundreds of a MiB each.
 */
const mostForPeople = 32_768;

/** How many times longer than JSON: what is deeply nested would be indented to any length. */
const mostLonger = 2;

/** An object as YAML; as JSON, which is YAML too, if it is large, or would be long or read as another one. */
function documentOf(json: Buffer): Buffer {
  const asJson = Buffer.concat([json, lineEnd]);
  if (json.length > mostForPeople) {
    return asJson;
  }
  const object: unknown = JSON.parse(json.toString());
  const isRead = (text: string, version: "1.1" | "1.2") => isDeepStrictEqual(parse(text, { version }), object);
  try {
    const text = stringify(object, yamlForAll);
    const asYaml = Buffer.from(text);
    const isShort = asYaml.length <= mostLonger * json.length;
    return isShort && isRead(text, "1.1") && isRead(text, "1.2") ? asYaml : asJson;
  } catch {
    return asJson;
  }
}

const lineEnd = Buffer.from("\n");
const between = Buffer.from("---\n");

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

/** A member's objects of a kind as a file; undefined if there are none. Meanwhile, a watch answers its probes. */
export async function archiveFile(
  kind: ServedKind,
  objects: readonly ArchivedObject[],
): Promise<ArchiveFile | undefined> {
  const documents: Buffer[] = [];
  for (const { json } of objects.toSorted((a, b) => compare(a.name, b.name))) {
    documents.push(...(documents.length === 0 ? [] : [between]), documentOf(json));
    await setImmediate();
  }
  const content = Buffer.concat(documents);
  return objects.length === 0
    ? undefined
    : { name: `objects/${resourceName(kind)}.yaml`, objects: objects.length, content };
}

/** SHA-256 in hexadecimal. */
export const sha256 = (content: string | Uint8Array): string => createHash("sha256").update(content).digest("hex");
