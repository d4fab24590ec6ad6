import { ListError, StatusError, TooLongError } from "./errors.ts";
import type { ListAt, Page } from "./listItems.ts";

/**
 * kubectl's page size. A longer list costs the API server more and lets fewer other requests in, and a proxy may refuse
 * it.
 */
const pageSize = 500;

/**
 * Most bytes of a page. 500 of the largest objects that members can write are longer than Node's longest text, and read
 * `[{},{},…]` takes thirty times its bytes.
 */
export const mostBytes = 8 * 2 ** 20;

/** Most bytes of a list in one piece. */
const mostInOnePiece = 8 * mostBytes;

/** By how much the size of pages shrinks after one that was too long, and grows at most. */
const step = 8;

/** The API server keeps a list's moment for some minutes; later pages then fail. */
const isOver = (cause: unknown) => cause instanceof StatusError && cause.code === 410;

/** Requests a path. @throws TooLongError if the answer has more bytes */
type Ask = (path: string, most: number) => Promise<Page>;

/**
 * All pages of a list, from one moment. Pages have 500 objects, and fewer where these are large. If the moment expires
 * before the last page, the list is read again in one piece.
 * @param path such as `/api/v1/services`, with a query if there is one
 * @throws ListError if the second answer is incomplete or too long; any error of `ask`
 * @see https://kubernetes.io/docs/reference/using-api/api-concepts/#retrieving-large-results-sets-in-chunks
 */
export async function allPages(path: string, ask: Ask): Promise<ListAt<unknown>> {
  const items: unknown[] = [];
  let size = pageSize;
  let token = "";
  for (;;) {
    const first = withQuery(path, `limit=${size}`);
    try {
      const page = await ask(
        token === "" ? first : withQuery(first, `continue=${encodeURIComponent(token)}`),
        // A single object can't be divided, and a server that knows no pages answers with all.
        size === 1 ? Number.POSITIVE_INFINITY : mostBytes,
      );
      items.push(...page.items);
      if (page.more === "") {
        return { items, resourceVersion: page.resourceVersion };
      }
      token = page.more;
      size = nextSize(page, size);
    } catch (cause) {
      if (cause instanceof TooLongError) {
        size = Math.max(1, Math.floor(size / step));
      } else if (isOver(cause) && token !== "") {
        return await inOnePiece(path, ask);
      } else {
        throw cause;
      }
    }
  }
}

/** Objects of a page that has three quarters of the most bytes, if they are as large as the last page's. */
function nextSize({ bytes, size }: Page, last: number): number {
  const fitting = Math.floor((mostBytes * 0.75 * size) / Math.max(1, bytes));
  return Math.max(1, Math.min(pageSize, last * step, fitting));
}

async function inOnePiece(path: string, ask: Ask): Promise<ListAt<unknown>> {
  const { items, resourceVersion, more } = await ask(path, mostInOnePiece).catch((cause: unknown) => {
    throw cause instanceof TooLongError ? new ListError(`the list is too long for one piece: ${cause.message}`) : cause;
  });
  if (more !== "") {
    throw new ListError("the answer is a part of the list, not the whole.");
  }
  return { items, resourceVersion };
}

const withQuery = (path: string, query: string) => `${path}${path.includes("?") ? "&" : "?"}${query}`;
