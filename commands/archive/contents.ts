import { createHash } from "node:crypto";
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
  /** YAML documents. */
  readonly text: string;
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
 * Characters up to which an object is written for people. To write more as YAML, and read it again, would keep a watch from
 * answering its probes: a leaver may have hundreds of a MiB each.
 */
const mostForPeople = 32_768;

/** An object as YAML; as JSON, which is YAML too, if it is large, or would be read as another one. */
function documentOf(object: object): string {
  const json = JSON.stringify(object, null, 2);
  if (json.length > mostForPeople) {
    return `${json}\n`;
  }
  const text = stringify(object, yamlForAll);
  const isRead = (version: "1.1" | "1.2") => {
    try {
      return isDeepStrictEqual(parse(text, { version }), object);
    } catch {
      return false;
    }
  };
  return isRead("1.1") && isRead("1.2") ? text : `${json}\n`;
}

/** The member's objects of a kind as a file; undefined if there are none. */
export function archiveFile(kind: ServedKind, objects: readonly WholeObject[]): ArchiveFile | undefined {
  const theirs = objects
    .filter((object) => isTheirs({ ...object, kind: kind.kind }))
    .toSorted((a, b) => compare(a.metadata?.name ?? "", b.metadata?.name ?? ""));
  if (theirs.length === 0) {
    return undefined;
  }
  // Items of a list have no kind of their own. Field managers are of no use without the API server that they talked to.
  const documents = theirs.map(
    ({ apiVersion: _, kind: __, metadata: { managedFields: ___, ...metadata } = {}, ...rest }) =>
      documentOf({ apiVersion: kind.apiVersion, kind: kind.kind, metadata, ...rest }),
  );
  return { name: `objects/${resourceName(kind)}.yaml`, objects: theirs.length, text: documents.join("---\n") };
}

/** SHA-256 in hexadecimal. */
export const sha256 = (content: string | Uint8Array): string => createHash("sha256").update(content).digest("hex");
