import { type Document, isMap, isNode, isScalar, isSeq } from "yaml";
import { project } from "../../../config/sources/sources.ts";

/** The file with a stack's list: `Pulumi.<stack>.yaml`, or its members file. */
export type ListKind = "stack" | "members";

type Path = readonly (string | number)[];

/** A place in a document for a list of members. */
export interface ListPlace {
  readonly document: Document;
  readonly path: Path;
  /** The list, or an empty value. */
  readonly list: unknown;
}

/** Where a document has lists of members: one, or one for each object of the operator's. */
export const listPlaces = (document: Document, kind: ListKind): ListPlace[] =>
  listPaths(document, kind).map((path) => ({ document, path, list: document.getIn(path, true) }));

function listPaths(document: Document, kind: ListKind): Path[] {
  if (kind === "stack") {
    return [`${project}:members`, "members"]
      .map((key) => ["config", key])
      .filter((path) => document.hasIn(path))
      .slice(0, 1);
  }
  const { contents } = document;
  if (isSeq(contents) || contents === null || (isScalar(contents) && contents.value === null)) {
    return [[]];
  }
  const items = isMap(contents) ? contents.get("items") : undefined;
  const objects: Path[] = isSeq(items) ? items.items.map((_, at) => ["items", at]) : [[]];
  return objects.flatMap((object) => {
    const own = [...object, "members"];
    const isOwn = document.hasIn(own) && !document.hasIn([...object, "kind"]);
    return [isOwn ? own : [...object, "spec", "members"]].filter((path) => document.hasIn(path));
  });
}

/** The name in an entry. */
export function nameOf(entry: unknown, document: Document): string | undefined {
  const value = isMap(entry) ? entry.get("member", true) : undefined;
  const name: unknown = isNode(value) ? value.toJS(document) : undefined;
  return typeof name === "string" ? name : undefined;
}
