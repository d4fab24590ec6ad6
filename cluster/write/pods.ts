import type { V1ResourceQuota } from "@kubernetes/client-node";
import { RunError } from "../../config/model/runError.ts";
import type { Settings } from "../../config/model/settings.ts";
import { resourceQuotaName } from "../../naming/names.ts";
import { type ApiServer, defaultWaiting, type Waiting, withApiServer } from "../api/client.ts";
import { forEachOf } from "../api/forEachOf.ts";
import { findApiTarget } from "../api/kubeconfig/kubeconfig.ts";
import { messageOf } from "../api/message.ts";
import { allOf, listPath } from "../kinds/kinds.ts";
import { longestGracePeriod, unfinishedPhases } from "../read/namespaceContents.ts";
import { type QuotaState, quotaStateOf } from "../read/quotaState.ts";

/** A member who is suspended or expired, and whose pods still run, or may begin until their quota is closed. */
export interface Restless {
  readonly member: string;
  readonly namespace: string;
  /** As many as there were when the cluster was read. */
  readonly pods: number;
}

/** How often the quotas are looked at, and the pause between, in milliseconds: mostly the controller takes less than one. */
const looks = { most: 60, pause: 500 };

/**
 * Ends what runs in the namespaces by then, once the API server itself says that their quotas let nothing new begin.
 * Finished pods stay, with their logs.
 * @returns those with pods who were left alone, because this run did not set their quota to zero (it targets others)
 * @throws RunError naming each member whose pods could not be stopped
 * @see https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-termination
 */
export async function stopPods(
  restless: readonly Restless[],
  { cluster }: Pick<Settings, "cluster">,
  waiting: Partial<Waiting> = {},
): Promise<readonly Restless[]> {
  if (restless.length === 0) {
    return [];
  }
  const { pause } = { ...defaultWaiting, ...waiting };
  return await withApiServer(findApiTarget(cluster.context), waiting, async (api) => {
    const { closed, closing, open } = await settledQuotas(api, restless, pause);
    const refused: string[] = [];
    await forEachOf(closed, (each) => stop(api, each).catch((cause) => void refused.push(messageOf(cause))));
    const failures = [
      ...refused,
      ...closing.map(
        ({ member, namespace }) =>
          `Can't stop the pods of member '${member}': ResourceQuota ${namespace}/${resourceQuotaName} is not in force.\n` +
          "See that the cluster's kube-controller-manager works, then run again.",
      ),
    ];
    if (failures.length > 0) {
      // Pulumi deletes what is no longer declared after the program has ended well, and not before.
      throw new RunError(`${failures.join("\n")}\nUntil this is done, who is to lose their route keeps it.`);
    }
    return open.filter(({ pods }) => pods > 0);
  });
}

type Quotas = Readonly<Record<QuotaState, readonly Restless[]>>;

/**
 * Looks until every quota that was set to zero is in force. Neither what the program asked for nor what the plugin
 * answered tells: a run that targets others leaves a quota as it was. Nor does the quota's spec: admission goes by
 * its status, which the controller sets a moment later, and a pod that is stopped before that is replaced.
 */
async function settledQuotas(api: ApiServer, restless: readonly Restless[], pause: Waiting["pause"]): Promise<Quotas> {
  for (let look = 1; ; look++) {
    const quotas = await readQuotas(api, restless);
    if (quotas.closing.length === 0 || look === looks.most) {
      return quotas;
    }
    await pause(looks.pause, new AbortController().signal);
  }
}

async function readQuotas(api: ApiServer, restless: readonly Restless[]): Promise<Quotas> {
  const all = await api.list<V1ResourceQuota>(allOf("ResourceQuota"));
  const ours = new Map(
    all.filter(({ metadata }) => metadata?.name === resourceQuotaName).map((it) => [it.metadata?.namespace, it]),
  );
  const {
    closed = [],
    closing = [],
    open = [],
  } = Object.groupBy(restless, ({ namespace }) => quotaStateOf(ours.get(namespace)));
  return { closed, closing, open };
}

async function stop(api: ApiServer, { member, namespace }: Restless): Promise<void> {
  await api.write({
    what: `stop the pods of member '${member}'`,
    method: "DELETE",
    path: `${listPath("Pod", namespace)}?${unfinishedPhases}`,
    body: { kind: "DeleteOptions", apiVersion: "v1", gracePeriodSeconds: longestGracePeriod },
  });
}
