import { type ApiServer, type Waiting, withApiServer } from "../api/client.ts";
import type { Purpose } from "../api/errors.ts";
import type { ApiTarget } from "../api/kubeconfig/kubeconfig.ts";
import { messageOf } from "../api/message.ts";
import { forEachOf } from "../kinds/inParallel.ts";

/**
 * Attempts something for each item, some at a time; one failure does not stop the others.
 * @param target finds the API server; not called without an item
 * @returns the reasons by item for which it failed
 * @throws RunError if the sign-in fails
 */
export async function attemptEach<T>(
  items: readonly T[],
  target: () => ApiTarget,
  waiting: Partial<Waiting>,
  attempt: (api: ApiServer, item: T) => Promise<unknown>,
  purpose?: Purpose,
): Promise<Map<T, string>> {
  const failed = new Map<T, string>();
  const note = (item: T) => (cause: unknown) => void failed.set(item, messageOf(cause));
  if (items.length > 0) {
    const all = (api: ApiServer) => forEachOf(items, (item) => attempt(api, item).catch(note(item)));
    await withApiServer(target(), waiting, all, purpose);
  }
  return failed;
}
