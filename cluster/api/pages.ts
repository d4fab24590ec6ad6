import { ListError, StatusError } from "./errors.ts";
import type { ListAt, Page } from "./listItems.ts";

/**
 * kubectl's page size. A longer list costs the API server more and lets fewer other requests in, and a proxy may refuse
 * it.
 */
const pageSize = 500;

/** The API server keeps a list's moment for some minutes; later pages then fail. */
const isOver = (cause: unknown) => cause instanceof StatusError && cause.code === 410;

/**
 * All pages of a list, from one moment. If that expires before the last page, the list is read again in one piece.
 * @param path such as `/api/v1/services`, with a query if there is one
 * @param ask requests a path
 * @throws ListError if the second answer is incomplete; any error of `ask`
 * @see https://kubernetes.io/docs/reference/using-api/api-concepts/#retrieving-large-results-sets-in-chunks
 */
export async function allPages(path: string, ask: (path: string) => Promise<Page>): Promise<ListAt<unknown>> {
  const first = withQuery(path, `limit=${pageSize}`);
  const items: unknown[] = [];
  let page = await ask(first);
  while (page.more !== "") {
    items.push(...page.items);
    try {
      page = await ask(withQuery(first, `continue=${encodeURIComponent(page.more)}`));
    } catch (cause) {
      if (!isOver(cause)) {
        throw cause;
      }
      return await inOnePiece(path, ask);
    }
  }
  return { items: [...items, ...page.items], resourceVersion: page.resourceVersion };
}

async function inOnePiece(path: string, ask: (path: string) => Promise<Page>): Promise<ListAt<unknown>> {
  const { more, ...whole } = await ask(path);
  if (more !== "") {
    throw new ListError("the answer is a part of the list, not the whole.");
  }
  return whole;
}

const withQuery = (path: string, query: string) => `${path}${path.includes("?") ? "&" : "?"}${query}`;
