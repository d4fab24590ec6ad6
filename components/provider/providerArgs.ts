import { createRequire } from "node:module";
import type { ProviderArgs } from "@pulumi/kubernetes";
import type { Settings } from "../../config/settings.ts";
import { project } from "../../config/sources/sources.ts";
import type { S3Settings } from "../../config/storage/storage.ts";
import { version } from "../../config/values/version.ts";
import { digestOf } from "../../plan/live/changedFields.ts";

/** The installed version of the provider, read without loading the SDK. */
const providerVersion: string = createRequire(import.meta.url)("@pulumi/kubernetes/package.json").version;

/** In a file that does not load every kind of Kubernetes. */
export function providerArgs({ cluster }: Pick<Settings, "cluster">) {
  return {
    ...(cluster.context === undefined ? {} : { context: cluster.context }),
    // Another kubeconfig or context for the same cluster must not replace every object. cluster.id checks that it is
    // the same cluster, before anything is touched.
    clusterIdentifier: "kubecamp",
    // A stack has some ten objects per member, most of them small: at the plugin's default of 50 requests a second, an
    // up would mostly wait. The API server still applies its own priority and fairness.
    kubeClientSettings: { qps: 200, burst: 400, timeout: 60 },
    // Field by field, so that fields that others add stay.
    enableServerSideApply: true,
    // A killed run's objects may be missing from the state: the next run takes them over instead of failing. The
    // ownership check (plan/decide/obstacles.ts) keeps foreign objects away from this.
    upsertExistingObjects: true,
    // Resets a field that was changed by hand; otherwise that is a conflict, and an error.
    enablePatchForce: true,
    // Otherwise each change of data is a replacement, which deletes first and loses the object if it fails.
    enableConfigMapMutable: true,
    enableSecretMutable: true,
    // An unreachable cluster is an error: never forget objects that may exist, never skip a change.
    deleteUnreachable: false,
    skipUpdateUnreachable: false,
  } satisfies ProviderArgs;
}

/** Of what no object shows: providers' settings without secrets, and kubecamp's version, which decides on options. */
export function stackDigest(settings: Settings, clusterId: string): string {
  const { storage } = settings;
  const buckets = storage?.kind === "s3" ? storageArgs(storage, settings, project, clusterId) : undefined;
  return digestOf([version, providerVersion, providerArgs(settings), buckets]);
}

/**
 * Settings of the provider of buckets, without the administrator's secret key. The stack's name on the server is the same
 * for all shards, so that members can move, and differs between clusters.
 */
export function storageArgs(storage: S3Settings, settings: Settings, project: string, clusterId: string) {
  const { kind: _, appEndpoint: __, secretAccessKey: ___, ...args } = storage;
  const { stack, shards, cluster } = settings;
  const id = clusterId || cluster.id;
  return {
    ...args,
    ...(id === undefined ? {} : { stack: `${project}/${shards?.family ?? stack}/${id}` }),
  };
}
