import { jsonIn } from "../../config/model/json.ts";
import { ListError } from "./errors.ts";

/** A whole list, and the version of the cluster that it is of; empty where the answer has none. */
export interface ListAt<T> {
  readonly items: T[];
  readonly resourceVersion: string;
}

/** A part of a list. */
export interface Page extends ListAt<unknown> {
  /** What the next one is asked for with; empty after the last. */
  readonly more: string;
}

/**
 * A LIST's answer, or a page of one. Not any 200 is one: a login page, or a proxy's `{}`, must not count as "there is none".
 * @throws ListError when it is no list of the kind
 */
export function pageOf(text: string, kind: string, metadataOnly: boolean): Page {
  const list = parsed(text);
  // Who asks for metadata alone may get it or the whole; who asks for the whole must not take what is missing for unset.
  const isPartial = metadataOnly && list?.kind === "PartialObjectMetadataList";
  if (list === undefined || (list.kind !== `${kind}List` && !isPartial)) {
    throw new ListError(`the answer is no list of the kind ${kind}: ${JSON.stringify(text.trim().slice(0, 100))}`);
  }
  // An empty list of metadata alone has null for its items; no other has.
  const items = isPartial && list.items === null ? [] : list.items;
  if (!Array.isArray(items)) {
    throw new ListError(`the answer is a ${list.kind} without items.`);
  }
  if (!items.every((item) => typeof Object(Object(item).metadata).name === "string")) {
    throw new ListError(`the answer is a ${list.kind} with items that have no name.`);
  }
  const { resourceVersion = "", continue: more = "" } = Object(list.metadata) as Record<string, unknown>;
  return { items, resourceVersion: String(resourceVersion), more: String(more) };
}

/**
 * The names in an APIResourceList, which discovery answers with.
 * @throws ListError when it is none
 */
export function resourceNames(text: string): string[] {
  const { kind, resources } = Object(parsed(text)) as { kind?: unknown; resources?: unknown };
  if (kind !== "APIResourceList" || !Array.isArray(resources)) {
    throw new ListError(`the answer is no list of resources: ${JSON.stringify(text.trim().slice(0, 100))}`);
  }
  return resources.map((resource) => String(Object(resource).name));
}

function parsed(text: string): { kind?: unknown; items?: unknown; metadata?: unknown } | undefined {
  const body = jsonIn(text);
  return typeof body === "object" && body !== null ? body : undefined;
}
