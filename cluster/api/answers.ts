import type { KubernetesObject, V1ManagedFieldsEntry } from "@kubernetes/client-node";
import { manifestKind } from "../../config/names/customKinds.ts";
import { unknowns } from "../../config/names/pulumiMarks.ts";
import { jsonIn } from "../../config/values/maps.ts";
import { ListError, StatusError, TooLongError } from "./errors.ts";

/** A list, and the cluster's version at that moment; empty if the answer has none. */
export interface ListAt<T> {
  readonly items: T[];
  readonly resourceVersion: string;
}

export interface Page extends ListAt<unknown> {
  /** Token for the next page; empty after the last. */
  readonly more: string;
}

/** An answer to LIST, or a page of it; a login page or a proxy's `{}` is no empty list. @throws ListError */
export function pageOf(text: string, kind: string, metadataOnly: boolean): Page {
  const list = parsed(text);
  // Whole objects may answer a request for metadata. The reverse is an error: missing fields would count as unset.
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

/** An answer that is one object, or describes kinds. @throws ListError if it is none, such as a login page */
export function objectIn(text: string): object {
  const object = parsed(text);
  if (object === undefined || typeof (object.kind ?? object.openapi) !== "string") {
    throw new ListError(`the answer is no object: ${JSON.stringify(text.trim().slice(0, 100))}`);
  }
  return object;
}

function parsed(text: string): { kind?: unknown; openapi?: unknown; items?: unknown; metadata?: unknown } | undefined {
  const body = jsonIn(text);
  return typeof body === "object" && body !== null ? body : undefined;
}

/** kubectl's: a longer list costs the API server more, and a proxy may refuse it. */
const pageSize = 500;

/** Most bytes of a page: 500 of members' largest objects are longer than Node's longest text. */
export const mostBytes = 8 * 2 ** 20;

/** Requests a path. @throws TooLongError if the answer has more bytes */
type Ask = (path: string, most: number) => Promise<Page>;

/**
 * All pages of a list, from one moment. If that expires before the last page, the list begins anew, until the caller's
 * deadline.
 * @throws any error of `ask`
 * @see https://kubernetes.io/docs/reference/using-api/api-concepts/#retrieving-large-results-sets-in-chunks
 */
export async function allPages(path: string, ask: Ask): Promise<ListAt<unknown>> {
  const items: unknown[] = [];
  let size = pageSize;
  let token = "";
  for (;;) {
    const next = token === "" ? "" : `&continue=${encodeURIComponent(token)}`;
    try {
      // A single object can't be divided, and a server that knows no pages answers with all.
      const most = size === 1 ? Number.POSITIVE_INFINITY : mostBytes;
      const page = await ask(`${path}${path.includes("?") ? "&" : "?"}limit=${size}${next}`, most);
      items.push(...page.items);
      if (page.more === "") {
        return { items, resourceVersion: page.resourceVersion };
      }
      token = page.more;
      size = Math.min(pageSize, size * 2);
    } catch (cause) {
      if (cause instanceof TooLongError) {
        size = Math.max(1, Math.floor(size / 8));
      } else if (cause instanceof StatusError && cause.code === 410 && token !== "") {
        // The API server keeps a list's moment for some minutes; later pages then fail.
        items.length = 0;
        token = "";
      } else {
        throw cause;
      }
    }
  }
}

/** Takes away `managedFields`, often longer than the rest, except `needed` and what Pulumi can't read (`hasMarks`). */
export function withoutManagers<T extends KubernetesObject>(
  object: T,
  needed: readonly V1ManagedFieldsEntry[] = [],
): T {
  const { metadata } = object;
  const unread = (metadata?.managedFields ?? []).flatMap(({ manager = "" }) =>
    unknowns.includes(manager) ? [{ manager }] : [],
  );
  const left = [...needed, ...unread];
  if (left.length > 0 && metadata !== undefined) {
    metadata.managedFields = left;
  } else {
    delete metadata?.managedFields;
  }
  return object;
}
