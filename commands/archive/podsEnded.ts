import type { KubernetesObject } from "@kubernetes/client-node";
import type { ApiServer } from "../../cluster/api/client.ts";
import { allOf, listPath } from "../../cluster/kinds/kinds.ts";
import { counted, firstOf } from "../../cluster/kinds/nameList.ts";
import { unfinishedPhases } from "../../cluster/read/namespaceContents.ts";
import { RunError } from "../../config/model/runError.ts";
import { pauseFor, type SnapshotWaiting } from "./snapshots.ts";

/** Stopped Pods have 30 seconds to end: number of looks, and the pause between them in milliseconds. */
const looks = { most: 20, pause: 2_000 };
const mostNames = 5;

/**
 * Waits until a namespace's Pods have ended: one that runs on could still write what the archive would not have. A killed run
 * may have suspended the member without stopping them.
 * @throws RunError naming those that go on
 */
export async function podsEnded(
  api: Pick<ApiServer, "list">,
  namespace: string,
  waiting: Pick<SnapshotWaiting, "pause" | "notify">,
): Promise<void> {
  const path = `${listPath("Pod", namespace)}?${unfinishedPhases}`;
  for (let look = 1; ; look++) {
    const pods = await api.list<KubernetesObject>({ ...allOf("Pod", namespace), path, metadataOnly: true });
    if (pods.length === 0) {
      return;
    }
    if (look === looks.most || pods.some(({ metadata }) => metadata?.deletionTimestamp === undefined)) {
      const names = pods.map(({ metadata }) => metadata?.name ?? "");
      const who = `${counted(pods.length, "Pod")} of '${namespace}' still ${pods.length === 1 ? "runs" : "run"}`;
      throw new RunError(
        `${who}: ${firstOf(names, mostNames)}.\n` +
          "Run 'pulumi up', which stops Pods, then run this again. If its node is lost, delete the Pod with --force.",
      );
    }
    const what = `${counted(pods.length, "Pod")} of '${namespace}' to end`;
    await pauseFor(what, looks.pause, { before: (look - 1) * looks.pause, ...waiting });
  }
}
