import { setTimeout as sleep } from "node:timers/promises";
import { type ApiServer, withApiServer } from "../../cluster/api/client.ts";
import type { InformerWaiting } from "../../cluster/api/informer.ts";
import type { ApiTarget } from "../../cluster/api/kubeconfig/kubeconfig.ts";
import { pauseInOutage } from "../../cluster/api/retry.ts";

/**
 * Asks an API server until it answers, in growing pauses. The informers report the outage.
 * @param target finds the API server, and is called each time
 */
export async function answered<T>(
  target: () => ApiTarget,
  signal: AbortSignal,
  ask: (api: ApiServer) => Promise<T>,
  { pause = (milliseconds) => sleep(milliseconds, undefined, { signal, ref: false }) }: Partial<InformerWaiting> = {},
): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await withApiServer(target(), { pause, signal }, ask, "watch");
    } catch {
      signal.throwIfAborted();
      await pause(pauseInOutage(failures), signal);
    }
  }
}
