import { createRequire } from "node:module";
import type { Settings } from "../../config/model/settings/settings.ts";
import { project } from "../../config/sources/sources.ts";
import { digestOfUnseen } from "../../plan/decide/unseen.ts";
import { storageArgs } from "../buckets/storageArgs.ts";
import { providerArgs, providerVersion } from "./providerArgs.ts";

const version: string = createRequire(import.meta.url)("../../package.json").version;

/**
 * Digest of what no object of a stack shows: the providers' settings without secrets, and the version of kubecamp, which decides
 * on the resources' options.
 * @param clusterId empty if the cluster has not been read
 */
export function stackDigest(settings: Settings, clusterId: string): string {
  const { storage } = settings;
  const buckets = storage?.kind === "s3" ? storageArgs(storage, settings, project, clusterId) : undefined;
  return digestOfUnseen([version, providerVersion, providerArgs(settings), buckets]);
}
