/** Waits for what was created, changed or deleted, as the object's kind and annotations ask. */

import { type Props, textAt } from "../../../../protocol/values.ts";
import { ApiError } from "../api.ts";
import type { Clock } from "../clock.ts";
import type { Cluster } from "../cluster.ts";
import { isAnnotated, nameOf, namespaceOf, timeoutSeconds } from "../objects.ts";
import { type JudgeContext, judgeFor } from "./readiness.ts";
import { waitForConditions } from "./waitFor.ts";
import { NotReady, waitUntilReady } from "./waiting.ts";

export interface Waiter {
  cluster: Cluster;
  signal: AbortSignal;
  clock: Clock;
  /** From the resource's customTimeouts; 0 is none. */
  customTimeout: number;
}
type Status = (message: string) => Promise<void>;

/** The live object once it is ready; throws NotReady. */
export async function awaitReady(written: Props, inputs: Props, waiter: Waiter, status: Status): Promise<Props> {
  if (isAnnotated(inputs, "skipAwait")) {
    await status("Skipping await logic");
    return written;
  }
  const seconds = timeoutSeconds(inputs, waiter.customTimeout);
  const { cluster, signal, clock } = waiter;
  const conditions = waitForConditions(written);
  if (conditions.length > 0) {
    const look = async () => {
      const object = await cluster.get(written);
      return { object, ready: conditions.every((holds) => holds(object)), reasons: [] };
    };
    return await waitUntilReady(written, look, {
      seconds,
      signal,
      clock,
      timedOut: "timed out waiting for the condition",
    });
  }
  const judge = judgeFor(written, judgeContext(written, cluster, false));
  if (!judge) return written;
  await status(`Waiting for ${written.kind} ${nameOf(written)} to be ready`);
  const look = async () => {
    const object = await cluster.get(written);
    return { object, ...(await judge.judge(object)) };
  };
  const patience = { seconds: judge.fixedSeconds ?? seconds, signal, clock, timedOut: judge.timedOut(nameOf(written)) };
  return await waitUntilReady(written, look, patience);
}

/** A refresh looks once; throws NotReady. */
export async function judgeNow(live: Props, inputs: Props, cluster: Cluster): Promise<void> {
  if (isAnnotated(inputs, "skipAwait")) return;
  const verdict = await judgeFor(live, judgeContext(live, cluster, true))?.judge(live);
  if (verdict && !verdict.ready) {
    const message = `Resource '${nameOf(live)}' was created but failed to initialize`;
    throw new NotReady(message, live, verdict.reasons);
  }
}

const skippableDeletes = /\/(Namespace|Pod|ReplicationController|DaemonSet|Deployment|StatefulSet|Job)$/;

/** Throws NotReady when the object is still there at the end. */
export async function awaitDeleted(object: Props, inputs: Props, waiter: Waiter): Promise<void> {
  const kind = `${textAt(inputs, "apiVersion")}/${textAt(inputs, "kind")}`;
  if (isAnnotated(inputs, "skipAwait") && skippableDeletes.test(kind)) return;
  const { cluster, signal, clock } = waiter;
  const look = async () => {
    const live = await cluster.get(object).catch(absent);
    return { object: live ?? object, ready: live === undefined, reasons: [] };
  };
  const seconds = timeoutSeconds(inputs, waiter.customTimeout);
  await waitUntilReady(object, look, { seconds, signal, clock, timedOut: "timed out waiting for the condition" });
}

function judgeContext(object: Props, cluster: Cluster, reading: boolean): JudgeContext {
  return {
    reading,
    find: async (kind, name) =>
      await cluster.get({ apiVersion: "v1", kind, metadata: { namespace: namespaceOf(object), name } }).catch(absent),
  };
}

function absent(error: unknown): undefined {
  if (!(error instanceof ApiError && error.code === 404)) throw error;
}
