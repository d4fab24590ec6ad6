import * as pulumi from "@pulumi/pulumi";
import { BucketsProvider } from "../buckets/resources/bucketsProvider.ts";
import type { ClusterSnapshot } from "../cluster/read/snapshot/snapshot.ts";
import type { Settings } from "../config/model/settings/settings.ts";
import { bucketLabel } from "../naming/labels.ts";
import { storageArgs } from "./buckets/storageArgs.ts";
import { makeWay } from "./hooks/makeWay.ts";
import { keepSecretsOutOfDebugMessages } from "./provider/debugMessages.ts";

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
  const provider = storageProvider(settings, snapshot);
  return provider && { provider, makeWay: hookOf(settings, snapshot) };
}

/** Provider for the S3 server; undefined for other storage. */
export function storageProvider(
  settings: Settings,
  snapshot: Pick<ClusterSnapshot, "id">,
): BucketsProvider | undefined {
  const { storage } = settings;
  if (storage?.kind !== "s3") {
    return undefined;
  }
  keepSecretsOutOfDebugMessages();
  const args = storageArgs(storage, settings, pulumi.getProject(), snapshot.id);
  return new BucketsProvider("storage", {
    ...args,
    // Unknown as long as the cluster has not been read.
    stack: args.stack ?? pulumi.output(pulumi.unknown as unknown as string),
    secretAccessKey: storage.secretAccessKey ?? "",
  });
}

/** Hook that Pulumi calls before it creates an object, which it does only if its state has none. */
function hookOf(settings: Settings, snapshot: ClusterSnapshot): pulumi.ResourceHook | undefined {
  const isInTheWay = [...snapshot.managedObjects.values()].some(({ labels }) => labels[bucketLabel] !== undefined);
  return isInTheWay && !pulumi.runtime.isDryRun()
    ? new pulumi.ResourceHook("kubecamp/make-way", ({ newInputs }) => makeWay(Object(newInputs), settings, snapshot))
    : undefined;
}
