import type { Logger } from "pino";
import { withApiServer } from "../cluster/api/client.ts";
import { messageOf } from "../cluster/api/errors.ts";
import { findApiTarget } from "../cluster/api/kubeconfig/kubeconfig.ts";
import { refuseAnotherCluster } from "../cluster/write/ownCluster.ts";
import type { Settings } from "../config/settings.ts";
import { isLeft, removeStage, stageOn } from "../verify/stage/leftovers.ts";

/** Time limit in milliseconds. */
const patience = 30_000;

/** Removes what a killed `kubecamp verify` of the stack has left. A failure is logged, and the next call tries again. */
export async function removeLeftVerification(
  settings: Pick<Settings, "stack" | "cluster">,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  const warn = (reason: string) =>
    log.warn({ action: "verification not removed", reason }, "can't remove what a killed verification has left");
  try {
    const target = findApiTarget(settings.cluster.context);
    await withApiServer(
      target,
      { patience, signal },
      async (api) => {
        const now = new Date();
        const left = (await stageOn(api, settings)).filter((each) => isLeft(each, now) && !each.terminating);
        if (left.length === 0) {
          return;
        }
        await refuseAnotherCluster(api, settings);
        const refused = await removeStage(left, settings, api);
        const namespaces = left.map(({ name }) => name);
        log.info({ action: "verification removed", namespaces }, "removes what a killed verification has left");
        if (refused.length > 0) {
          warn(refused.join("\n"));
        }
      },
      "watch",
    );
  } catch (error) {
    if (!signal.aborted) {
      warn(messageOf(error));
    }
  }
}
