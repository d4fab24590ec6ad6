import type { Logger } from "pino";
import { type ApiServer, withApiServer } from "../cluster/api/client.ts";
import { messageOf } from "../cluster/api/errors.ts";
import { findApiTarget } from "../cluster/api/kubeconfig/kubeconfig.ts";
import { refuseAnotherCluster } from "../cluster/write/ownCluster.ts";
import type { Settings } from "../config/settings.ts";
import { readRecord } from "../verify/record.ts";
import { isLeft, removeStage, stageOn } from "../verify/stage/leftovers.ts";
import type { Metrics } from "./telemetry/metrics.ts";

interface VerificationParts {
  readonly log: Logger;
  readonly metrics: Pick<Metrics, "verified">;
  readonly signal: AbortSignal;
}

type OfStack = Pick<Settings, "stack" | "cluster">;

/** Time limit in milliseconds. */
const patience = 30_000;

/**
 * Shows the last recorded result of `kubecamp verify`, and removes what a killed one has left. A failure is logged, and the
 * next call tries again.
 */
export async function followVerifications(
  settings: OfStack,
  { log, metrics, signal }: VerificationParts,
): Promise<void> {
  const attempt = async (action: string, message: string, work: (api: ApiServer) => Promise<void>) => {
    try {
      await withApiServer(findApiTarget(settings.cluster.context), { patience, signal }, work, "watch");
    } catch (error) {
      if (!signal.aborted) {
        log.warn({ action, reason: messageOf(error) }, message);
      }
    }
  };
  await attempt("verification not removed", "can't remove what a killed verification has left", (api) =>
    removeLeft(api, settings, log),
  );
  await attempt("verification not read", "can't read the last verification's result", async (api) =>
    metrics.verified(await readRecord(api, settings)),
  );
}

async function removeLeft(api: ApiServer, settings: OfStack, log: Logger): Promise<void> {
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
    throw new Error(refused.join("\n"));
  }
}
