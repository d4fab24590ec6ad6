import { manifestKind } from "../../config/names/customKinds.ts";
import { jsonIn } from "../../config/values/maps.ts";
import { ListError } from "./errors.ts";

/** A list, and the cluster's version at that moment; empty if the answer has none. */
export interface ListAt<T> {
  readonly items: T[];
  readonly resourceVersion: string;
}

/** A page of a list. */
export interface Page extends ListAt<unknown> {
  /** Token for the next page; empty after the last. */
  readonly more: string;
}

/**
 * Parses an answer to LIST, or a page of it. A login page or a proxy's `{}` with status 200 must not count as an empty
 * list.
 * @throws ListError if it is no list of the kind
 */
export function pageOf(text: string, kind: string, metadataOnly: boolean): Page {
  const list = parsed(text);
  // A request for metadata may be answered with whole objects. The reverse is an error: missing fields would count as
  // unset.
  const isPartial = metadataOnly && list?.kind === "PartialObjectMetadataList";
  if (list === undefined || (list.kind !== `${manifestKind(kind)}List` && !isPartial)) {
    throw new ListError(`the answer is no list of the kind ${kind}: ${JSON.stringify(text.trim().slice(0, 100))}`);
  }
  // Only an empty list of metadata has null as its items.
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

/** A resource of an API version. Those of subresources have names such as `widgets/scale`. */
export interface ApiResource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** The resources in an answer of discovery. @throws ListError if it is none */
export function resourcesIn(text: string): readonly ApiResource[] {
  const { kind, resources } = Object(parsed(text)) as { kind?: unknown; resources?: unknown };
  if (kind !== "APIResourceList" || !Array.isArray(resources)) {
    throw new ListError(`the answer is no list of resources: ${JSON.stringify(text.trim().slice(0, 100))}`);
  }
  return resources;
}

/**
 * Parses an answer that is one object. @throws ListError if it is none, such as a login page
 */
export function objectIn(text: string): object {
  const object = parsed(text);
  if (typeof object?.kind !== "string") {
    throw new ListError(`the answer is no object: ${JSON.stringify(text.trim().slice(0, 100))}`);
  }
  return object;
}

function parsed(text: string): { kind?: unknown; items?: unknown; metadata?: unknown } | undefined {
  const body = jsonIn(text);
  return typeof body === "object" && body !== null ? body : undefined;
}
