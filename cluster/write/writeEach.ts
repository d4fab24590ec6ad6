import { type ApiServer, type Waiting, withApiServer } from "../api/client.ts";
import { failuresOf } from "../api/forEachOf.ts";
import type { ApiTarget } from "../api/kubeconfig/kubeconfig.ts";

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
  return all.length === 0
    ? new Map()
    : await withApiServer(target(), waiting, (api) => failuresOf(all, (one) => api.write(requestOf(one))));
}
