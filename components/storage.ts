import type { KubernetesObject } from "@kubernetes/client-node";
import * as pulumi from "@pulumi/pulumi";
import { BucketsProvider, leavingBuckets } from "../buckets/resources.ts";
import { withApiServer } from "../cluster/api/client.ts";
import { findApiTarget } from "../cluster/api/kubeconfig/kubeconfig.ts";
import type { Waiting } from "../cluster/api/requests.ts";
import { objectPath, oneOf } from "../cluster/kinds/kinds.ts";
import { keyOf, type ObjectName } from "../cluster/kinds/objectName.ts";
import type { ClusterSnapshot } from "../cluster/read/snapshot.ts";
import { bucketLabel } from "../config/names/labels.ts";
import type { Settings } from "../config/settings.ts";
import { RunError } from "../config/values/runError.ts";
import { isOwn, strangeText } from "../plan/decisions/bucketsPlan.ts";
import { type BucketsRun, leavingFindings, letGoOf } from "../plan/findings/leaving.ts";
import type { Finding } from "../plan/words/finding.ts";
import { storageArgs } from "./provider/providerArgs.ts";

export interface Storage {
  readonly provider: BucketsProvider;
  /** Deletes an object in the way of a new one that can't be changed; undefined if there is none. */
  readonly makeWay?: pulumi.ResourceHook | undefined;
}

/** Made even when nobody has a bucket any more: a run asks the server for the contents of the last one. */
export function stackStorage(settings: Settings, snapshot: ClusterSnapshot): Storage | undefined {
  const { storage } = settings;
  if (storage?.kind !== "s3") {
    return undefined;
  }
  keepSecretsOutOfDebugMessages();
  const args = storageArgs(storage, settings, pulumi.getProject(), snapshot.id);
  const provider = new BucketsProvider("storage", {
    ...args,
    // Unknown as long as the cluster has not been read.
    stack: args.stack ?? pulumi.output(pulumi.unknown as unknown as string),
    secretAccessKey: storage.secretAccessKey ?? "",
  });
  return { provider, makeWay: hookOf(settings, snapshot) };
}

/** Hook that Pulumi calls before it creates an object, which it does only if its state has none. */
function hookOf(settings: Settings, snapshot: ClusterSnapshot): pulumi.ResourceHook | undefined {
  const isInTheWay = [...snapshot.managedObjects.values()].some(({ labels }) => labels[bucketLabel] !== undefined);
  return isInTheWay && !pulumi.runtime.isDryRun()
    ? new pulumi.ResourceHook("kubecamp/make-way", ({ newInputs }) => makeWay(Object(newInputs), settings, snapshot))
    : undefined;
}

/** With the contents that each loses: Pulumi deletes at the end of a run, and a preview does not ask about it. */
export async function leavingBucketFindings(
  storage: Pick<Storage, "provider"> | undefined,
  run: BucketsRun,
): Promise<Finding<"buckets">[]> {
  if (storage === undefined) {
    return [];
  }
  const declared = run.plan.list.flatMap(({ buckets = [] }) => buckets.map(({ bucketName }) => bucketName));
  return leavingFindings(letGoOf(await leavingBuckets(storage.provider, declared), run));
}

interface LogRequest {
  getMessage(): string;
  setMessage(message: string): void;
}

type Log = (request: LogRequest, ...rest: readonly unknown[]) => unknown;

/** Start of the part of a message that has a resource's outcome in plain text, secrets included. */
const answer = ", resp: ";

/** The SDK sends each resource's outcome as a debug message, secrets included, which the engine writes into logs. */
export function keepSecretsOutOfDebugMessages(engine: object | undefined = pulumi.runtime.getEngine()): void {
  if (engine === undefined) {
    return;
  }
  const log: Log = Reflect.get(engine, "log").bind(engine);
  const withoutAnswer: Log = (request, ...rest) => {
    const message = request.getMessage();
    const at = message.indexOf(answer);
    if (/RPC finished: /.test(message) && at >= 0) {
      request.setMessage(`${message.slice(0, at)}${answer}(left out)`);
    }
    return log(request, ...rest);
  };
  Reflect.set(engine, "log", withoutAnswer);
}

interface Made {
  readonly kind?: ObjectName["kind"];
  readonly metadata?: { readonly name?: string; readonly namespace?: string };
}

/**
 * Deletes kubecamp's own object of that name if Pulumi's state has lost it: nobody can change it, and its keys are old.
 * @throws RunError naming the object and the reason, also if the object is somebody else's
 */
export async function makeWay(
  { kind, metadata: { name = "", namespace = "" } = {} }: Made,
  settings: Settings,
  { managedObjects }: Pick<ClusterSnapshot, "managedObjects">,
  waiting: Partial<Waiting> = {},
): Promise<void> {
  const object: ObjectName | undefined = kind && { kind, name, namespace };
  const live = object && managedObjects.get(keyOf(object));
  if (object === undefined || live === undefined) {
    return;
  }
  if (!isOwn(live, { name: namespace }, settings)) {
    throw new RunError(strangeText(object));
  }
  await withApiServer(findApiTarget(settings.cluster.context), waiting, async (api) => {
    // In a replacement, Pulumi has already deleted the old object.
    const [found] = await api.list<KubernetesObject>({ ...oneOf(object.kind, name, namespace), metadataOnly: true });
    if (found !== undefined) {
      await api.write({
        what: `delete ${keyOf(object)}, which is made anew,`,
        method: "DELETE",
        path: objectPath(object),
        body: { apiVersion: "v1", kind: "DeleteOptions", preconditions: { uid: found.metadata?.uid } },
      });
    }
  });
}
