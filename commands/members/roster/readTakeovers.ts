import type { KubernetesObject } from "@kubernetes/client-node";
import { withApiServer } from "../../../cluster/api/client.ts";
import { findApiTarget } from "../../../cluster/api/kubeconfig/kubeconfig.ts";
import { allOf } from "../../../cluster/kinds/kinds.ts";
import { RunError } from "../../../config/model/runError.ts";
import type { Settings } from "../../../config/model/settings/settings.ts";
import { valueAt } from "../../../config/sources/mistakes.ts";
import { Problem } from "../../common/problem.ts";
import type { StackFile } from "../../common/stackFile.ts";
import type { Entry } from "../edit/listEdits.ts";
import { type LiveNamespaces, mayTakeOver, type Takeover, takeovers } from "./takeovers.ts";

/**
 * Namespaces that new members would take over at the next runs of some stacks. A cluster is asked only where they could.
 * @param isWanted whether to go on, with a note, where nobody can tell
 * @throws Problem when a cluster gives no answer, or is another than the stack's
 */
export async function readTakeovers(
  stacks: readonly StackFile[],
  added: readonly Entry[],
  isWanted: boolean,
): Promise<Takeover[]> {
  const found: Takeover[] = [];
  for (const { configuration, source } of stacks) {
    const { settings } = configuration;
    const adopt = valueAt(source.raw, ["offboarding", "adopt"]);
    // A value that can't be read here may be true.
    const adopts = adopt !== undefined && adopt !== false;
    if (mayTakeOver(added, adopts)) {
      found.push(...takeovers(added, adopts, await knownNamespaces(settings, isWanted), settings));
    }
  }
  return found;
}

async function knownNamespaces(settings: Settings, isWanted: boolean): Promise<LiveNamespaces> {
  try {
    return await liveNamespaces(settings);
  } catch (error) {
    if (!isWanted || !(error instanceof Problem)) {
      throw error;
    }
    console.error(`Note: ${error.message} ${error.why}`);
    return new Map();
  }
}

/**
 * All namespaces of a stack's cluster, in one LIST.
 * @throws Problem when the cluster gives no answer, or is another than the stack's
 */
async function liveNamespaces({ stack, cluster }: Pick<Settings, "stack" | "cluster">): Promise<LiveNamespaces> {
  if (cluster.id === undefined && cluster.context === undefined) {
    console.error(
      `Note: stack '${stack}' names no cluster (cluster.id, cluster.context): this looks at the kubeconfig's current one.`,
    );
  }
  const found = await listed(cluster.context);
  const id = found.find(({ metadata }) => metadata?.name === "kube-system")?.metadata?.uid;
  if (cluster.id !== undefined && id !== cluster.id) {
    throw untold(`The kubeconfig leads to the cluster ${id}, and cluster.id is ${cluster.id}.`);
  }
  return new Map(found.map(({ metadata }) => [metadata?.name ?? "", { labels: metadata?.labels ?? {} }]));
}

async function listed(context: string | undefined): Promise<KubernetesObject[]> {
  try {
    const notify = (message: string) => console.error(message);
    const request = { ...allOf("Namespace"), metadataOnly: true };
    return await withApiServer(
      findApiTarget(context),
      { notify },
      (api) => api.list<KubernetesObject>(request),
      "overview",
    );
  } catch (cause) {
    if (!RunError.isInstance(cause)) {
      throw cause;
    }
    throw untold(cause.message, cause);
  }
}

const untold = (why: string, cause?: unknown): Problem =>
  new Problem("It is unknown whether new members would take over namespaces.", {
    why,
    remedy: "Reach the stack's cluster, or add --adopt to let them take over existing namespaces. Nothing was written.",
    cause,
  });
