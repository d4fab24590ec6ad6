import type { ApiServer } from "../../api/client.ts";
import { ForbiddenError } from "../../api/errors.ts";
import type { Kind } from "../../kinds/kinds.ts";

/** A source of lists. */
export type Lists = Pick<ApiServer, "list">;

/** A preview's or a watch's lists, and the API server's refusals. */
interface ToleratedLists {
  readonly lists: Lists;
  /** The API server's words by kind, added as lists are refused. */
  readonly refused: ReadonlyMap<Kind, string>;
}

/**
 * Lists for an identity with partial rights: a forbidden list is empty and noted. Any other error is thrown, since it
 * says nothing about rights and may pass.
 * @param isTolerated by kind
 */
export function toleratingRefusals(api: Lists, isTolerated = (_: string) => true): ToleratedLists {
  const refused = new Map<Kind, string>();
  const lists: Lists = {
    list: async (request) => {
      try {
        return await api.list(request);
      } catch (error) {
        if (!(error instanceof ForbiddenError && isTolerated(request.kind))) {
          throw error;
        }
        refused.set(request.kind as Kind, error.reason);
        return [];
      }
    },
  };
  return { lists, refused };
}
