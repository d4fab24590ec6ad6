import type { V1ResourceQuota } from "@kubernetes/client-node";
import { resourceQuotaName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { RunError } from "../../config/values/runError.ts";
import { type ApiServer, withApiServer } from "../api/client.ts";
import { findApiTarget } from "../api/kubeconfig/kubeconfig.ts";
import { defaultWaiting, type Waiting } from "../api/requests.ts";
import { failuresOf } from "../inParallel.ts";
import { allOf, listPath } from "../kinds/kinds.ts";
import { type QuotaState, quotaStateOf } from "../kinds/quotaState.ts";
import { longestGracePeriod, unfinishedPhases } from "../read/namespaceContents.ts";

/** A suspended or expired member whose pods still run, or may start until the quota is in force. */
export interface Restless {
  readonly member: string;
  readonly namespace: string;
  readonly pods: number;
}

/**
 * Ends pods once the API server reports that quotas allow no new ones. Finished pods stay, with their logs.
 * @returns members left alone, because this run, which targets others, did not set their quota to zero
 * @throws RunError naming each member whose pods could not be stopped
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
    // A pod stopped before that is replaced.
    const { closed, closing, open } = await quotaInForce(
      () => readQuotas(api, restless),
      (quotas) => quotas.closing.length === 0,
      pause,
    );
    const refused = await failuresOf(closed, (each) => stop(api, each));
    const failures = [
      ...refused.values(),
      ...closing.map(
        ({ member, namespace }) =>
          `Can't stop the pods of member '${member}': ResourceQuota ${namespace}/${resourceQuotaName} is not in force.\n` +
          "See that the cluster's kube-controller-manager works, then run again.",
      ),
    ];
    if (failures.length > 0) {
      // Pulumi deletes undeclared resources only after the program has ended without an error.
      throw new RunError(`${failures.join("\n")}\nUntil this is done, their routes stay open.`);
    }
    return open.filter(({ pods }) => pods > 0);
  });
}

type Quotas = Readonly<Record<QuotaState, readonly Restless[]>>;

/** Only the live quota tells that it is zero: a run that targets others leaves it unchanged. */
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

/** Number of looks at the quotas, and the pause between them in milliseconds; one pause is mostly enough. */
const looks = { most: 60, pause: 500 };

/** The spec does not say so: admission follows the status, which the controller updates a moment later. */
export async function quotaInForce<T>(
  look: () => Promise<T>,
  isInForce: (seen: T) => boolean,
  pause: Waiting["pause"],
): Promise<T> {
  for (let number = 1; ; number++) {
    const seen = await look();
    if (isInForce(seen) || number === looks.most) {
      return seen;
    }
    await pause(looks.pause, new AbortController().signal);
  }
}
