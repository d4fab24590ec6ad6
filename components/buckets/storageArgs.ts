import type { S3Settings, Settings } from "../../config/model/settings.ts";

/**
 * All that is set of the provider of buckets, but for the administrator's secret key. What the stack calls itself on the server
 * is the same for all shards of a list, so that members can move between them, and another on another cluster.
 * @param clusterId empty where nobody has asked the cluster
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
