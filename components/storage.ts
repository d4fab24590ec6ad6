import * as pulumi from "@pulumi/pulumi";
import { BucketsProvider } from "../buckets/resources/bucketsProvider.ts";
import type { ClusterSnapshot } from "../cluster/read/snapshot.ts";
import type { Settings } from "../config/model/settings.ts";
import { bucketLabel } from "../naming/labels.ts";
import { storageArgs } from "./buckets/storageArgs.ts";
import { keepSecretsOutOfDebugMessages } from "./debugMessages.ts";
import { makeWay } from "./hooks/makeWay.ts";

/** What a stack's buckets are made with. */
export interface Storage {
  readonly provider: BucketsProvider;
  /** Takes away what stands where something is made that nobody can change; undefined where nothing stands. */
  readonly makeWay?: pulumi.ResourceHook | undefined;
}

/**
 * What leads to the stack's S3 server, if it has one: also while nobody has a bucket any more, since it is asked what was in
 * the last one.
 */
export function stackStorage(settings: Settings, snapshot: ClusterSnapshot): Storage | undefined {
  const provider = storageProvider(settings, snapshot);
  return provider && { provider, makeWay: hookOf(settings, snapshot) };
}

/** The server itself. */
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
    // Of a cluster that nobody has asked, that is not known.
    stack: args.stack ?? pulumi.output(pulumi.unknown as unknown as string),
    secretAccessKey: storage.secretAccessKey ?? "",
  });
}

/** Pulumi asks it before it makes something, which it does where its state knows of none. */
function hookOf(settings: Settings, snapshot: ClusterSnapshot): pulumi.ResourceHook | undefined {
  const isInTheWay = [...snapshot.managedObjects.values()].some(({ labels }) => labels[bucketLabel] !== undefined);
  return isInTheWay && !pulumi.runtime.isDryRun()
    ? new pulumi.ResourceHook("kubecamp/make-way", ({ newInputs }) => makeWay(Object(newInputs), settings, snapshot))
    : undefined;
}
