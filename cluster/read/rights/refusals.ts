import type { ApiServer } from "../../api/client.ts";
import { ForbiddenError } from "../../api/errors.ts";
import type { Kind } from "../../kinds/kinds.ts";

/** What can be asked for lists. */
export type Lists = Pick<ApiServer, "list">;

/** A preview's lists, and what the API server refused to tell, in its own words. */
export interface ToleratedLists {
  readonly lists: Lists;
  /** By kind; filled as the lists are asked for. */
  readonly refused: ReadonlyMap<Kind, string>;
}

/**
 * Lists for a preview, which an identity may run that has not every right: what it may not list is empty, and noted. All
 * else that can go wrong is an error as ever, since it says nothing of rights and may be over in a moment.
 */
export function toleratingRefusals(api: Lists): ToleratedLists {
  const refused = new Map<Kind, string>();
  const lists: Lists = {
    list: async (request) => {
      try {
        return await api.list(request);
      } catch (error) {
        if (!(error instanceof ForbiddenError)) {
          throw error;
        }
        refused.set(request.kind as Kind, error.reason);
        return [];
      }
    },
  };
  return { lists, refused };
}
