import { type ApiServer, type Waiting, withApiServer } from "../api/client.ts";
import { forEachOf } from "../api/forEachOf.ts";
import type { ApiTarget } from "../api/kubeconfig/kubeconfig.ts";
import { messageOf } from "../api/message.ts";

/**
 * Makes a write for each item, some at a time; one refusal does not stop the others.
 * @returns the reasons by item of the writes that failed
 * @throws RunError if the sign-in fails
 */
export async function writeEach<T>(
  all: readonly T[],
  requestOf: (one: T) => Parameters<ApiServer["write"]>[0],
  target: () => ApiTarget,
  waiting: Partial<Waiting>,
): Promise<ReadonlyMap<T, string>> {
  const refused = new Map<T, string>();
  if (all.length > 0) {
    await withApiServer(target(), waiting, (api) =>
      forEachOf(all, (one) => api.write(requestOf(one)).catch((cause) => void refused.set(one, messageOf(cause)))),
    );
  }
  return refused;
}
