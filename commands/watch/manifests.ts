import { dashboard } from "../../watch/manifests/dashboard.ts";
import { watchManifests } from "../../watch/manifests/manifests.ts";
import { example } from "../../watch/manifests/rights/samples.ts";
import { rightsTexts } from "../../watch/manifests/rights/watchRights.ts";
import { stackFiles } from "../../watch/manifests/stackFiles.ts";
import { Problem } from "../common/problem.ts";
import { readStack } from "../common/stackFile.ts";

interface ManifestsOptions {
  readonly stack: string;
  readonly image?: string;
  readonly folder: string;
  readonly name: string;
  readonly with: readonly string[];
  readonly config: boolean;
  readonly prometheus: string;
  /** `key=value`, or true without a label. */
  readonly monitoring?: string | true;
  readonly docs?: string;
  readonly dashboard?: true;
}

/** Features for which whoever has the watch's token can do far more than the watch. */
const ofArchives = "can read objects of most kinds in the whole cluster (docs/run/watch-in-cluster.md#archives)";
const warnings: Readonly<Record<string, string>> = {
  archive: ofArchives,
  "archive-snapshots": ofArchives,
  buckets: "can read EVERY SECRET OF THE CLUSTER (docs/run/watch-in-cluster.md#buckets)",
  objects:
    "can read every ConfigMap of the cluster, and, where Secrets are copied, EVERY SECRET (docs/run/watch-in-cluster.md#objects-for-members)",
  policies: "can have EVERY WRITE ON THE CLUSTER REFUSED (docs/run/watch-in-cluster.md#admission-policies)",
};

/**
 * Prints what `kubectl apply` takes to run a stack's watch in the cluster.
 * @throws Problem when there is no such stack, its configuration has mistakes, or a feature is unknown
 */
export function printManifests({ stack, folder, with: features, config, image, ...options }: ManifestsOptions): void {
  if (options.dashboard) {
    console.log(JSON.stringify(dashboard, null, 2));
    return;
  }
  if (features.length > 0) {
    refuseUnknown(features);
  }
  const { configuration, source } = readStack(stack, folder);
  const { name, prometheus, monitoring, docs } = options;
  const files = config && image !== undefined ? stackFiles(stack, source, folder) : undefined;
  const { features: granted, text } = watchManifests(configuration, {
    ...{ name, features, prometheus },
    ...(image === undefined ? {} : { image }),
    ...(files === undefined ? {} : { files }),
    ...(monitoring === undefined ? {} : { monitoring: labelsIn(monitoring) }),
    ...(docs === undefined ? {} : { docs }),
  });
  console.error(`rights of stack '${stack}': the common ones${granted.map((feature) => `, ${feature}`).join("")}`);
  for (const feature of granted) {
    const warning = warnings[feature];
    if (warning !== undefined) {
      console.error(`warning: with the rights for ${feature}, whoever has the watch's token ${warning}`);
    }
  }
  console.log(text.trimEnd());
}

function refuseUnknown(features: readonly string[]): void {
  const known = [...rightsTexts(example).optional.keys()];
  const unknown = features.find((feature) => !known.includes(feature));
  if (unknown !== undefined) {
    throw new Problem(`There is no feature '${unknown}'.`, {
      why: `Rights can be granted for ${known.join(", ")}.`,
      remedy: "Name one of these after --with.",
    });
  }
}

function labelsIn(monitoring: string | true): Record<string, string> {
  const [key = "", value = ""] = monitoring === true ? [] : monitoring.split("=", 2);
  return key === "" ? {} : { [key]: value };
}
