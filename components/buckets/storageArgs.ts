import type { Settings } from "../../config/model/settings/settings.ts";
import type { S3Settings } from "../../config/model/settings/storage.ts";

/**
 * Settings of the provider of buckets, without the administrator's secret key. The stack's name on the server is the
 * same for all shards of a list, so that members can move between them, and differs between clusters.
 * @param clusterId empty if the cluster has not been read
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
