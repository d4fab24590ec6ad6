import { ListError, StatusError } from "./errors.ts";
import type { ListAt, Page } from "./listItems.ts";

/**
 * As many as kubectl asks for at once. The API server takes a list for the more work the more is in it, and lets the less
 * else in meanwhile; and a proxy in front of it may hold back what is too long.
 */
const pageSize = 500;

/** The API server keeps the moment that a list is of for some minutes, and then asks for another beginning. */
const isOver = (cause: unknown) => cause instanceof StatusError && cause.code === 410;

/**
 * All pages of a list, which are of one moment. Where that is over before the last of them, the list comes anew, in one
 * piece.
 * @param path such as `/api/v1/services`, with the query if there is one
 * @param ask for what a path stands for
 * @throws ListError when what should be in one piece is not; whatever asking throws
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
