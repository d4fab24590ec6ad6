import { StatusError, TooLongError } from "./errors.ts";
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

/** Requests a path. @throws TooLongError if the answer has more bytes */
type Ask = (path: string, most: number) => Promise<Page>;

/**
 * All pages of a list, from one moment. Pages have 500 objects, and fewer where these are large. If the moment expires
 * before the last page, the list begins anew; the caller's deadline ends that.
 * @param path such as `/api/v1/services`, with a query if there is one
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
