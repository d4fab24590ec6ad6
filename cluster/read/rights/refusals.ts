import type { ApiServer } from "../../api/client.ts";
import { ForbiddenError } from "../../api/errors.ts";
import type { Kind } from "../../kinds/kinds.ts";

/** A source of lists. */
export type Lists = Pick<ApiServer, "list">;

/** A preview's lists, and the API server's refusals. */
interface ToleratedLists {
  readonly lists: Lists;
  /** The API server's words by kind, added as lists are refused. */
  readonly refused: ReadonlyMap<Kind, string>;
}

/**
 * Lists for a preview with partial rights: a forbidden list is empty and noted. Any other error is thrown, since it
 * says nothing about rights and may pass.
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
