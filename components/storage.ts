import * as pulumi from "@pulumi/pulumi";
import { BucketsProvider, leavingBuckets } from "../buckets/resources.ts";
import type { ClusterSnapshot } from "../cluster/read/snapshot/snapshot.ts";
import type { Settings } from "../config/model/settings/settings.ts";
import { bucketLabel } from "../naming/labels.ts";
import { type BucketsRun, leavingFindings, letGoOf } from "../plan/findings/leavingBuckets.ts";
import type { Finding } from "../plan/messages/finding.ts";
import { makeWay } from "./hooks/makeWay.ts";
import { keepSecretsOutOfDebugMessages } from "./provider/debugMessages.ts";
import { storageArgs } from "./provider/providerArgs.ts";

/** Connection to the server of buckets. */
export interface Storage {
  readonly provider: BucketsProvider;
  /** Deletes an object in the way of a new one that can't be changed; undefined if there is none. */
  readonly makeWay?: pulumi.ResourceHook | undefined;
}

/**
 * The connection to the stack's S3 server, if it has one. Made even when nobody has a bucket any more: a run asks the
 * server for the contents of the last one.
 */
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

/**
 * Findings on buckets that the run drops, with the contents that each loses. Pulumi deletes at the end of a run, and a
 * preview does not ask about it. None without a server or a dropped bucket.
 */
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
