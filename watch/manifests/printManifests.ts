import { readFileSync } from "node:fs";
import { isAbsolute, join, normalize } from "node:path";
import { Problem } from "../../commands/common/problem.ts";
import { readStack } from "../../commands/common/stackFile.ts";
import { stackFile } from "../../config/sources/files.ts";
import { withFiles } from "../../config/sources/namedFiles.ts";
import type { Source } from "../../config/sources/sources.ts";
import { withPages } from "../../config/values/pages.ts";
import { RunError } from "../../config/values/runError.ts";
import { dashboard } from "./dashboard.ts";
import { type Feature, features as knownFeatures } from "./features.ts";
import { watchManifests } from "./manifests.ts";

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

/** For each, the harm that somebody with the watch's token can do. */
const warnings: Readonly<Record<Feature, string>> = {
  archive: "can read objects of most kinds in the whole cluster (docs/run/watch-in-cluster.md#archives)",
  policies: "can have EVERY WRITE ON THE CLUSTER REFUSED (docs/run/watch-in-cluster.md#admission-policies)",
  secrets: "can read EVERY SECRET OF THE CLUSTER (docs/run/watch-in-cluster.md#secrets)",
};

/** Prints what `kubectl apply` takes to run a stack's watch in the cluster. */
export function printManifests({ stack, folder, with: features, config, image, ...options }: ManifestsOptions): void {
  if (options.dashboard) {
    console.log(JSON.stringify(dashboard, null, 2));
    return;
  }
  const { configuration, source } = readStack(stack, folder);
  const { name, prometheus, monitoring, docs } = options;
  const files = config && image !== undefined ? stackFiles(stack, source, folder) : undefined;
  const { features: granted, text } = watchManifests(configuration, {
    ...{ name, features: features.map(featureOf), prometheus },
    ...(image === undefined ? {} : { image }),
    ...(files === undefined ? {} : { files }),
    ...(monitoring === undefined ? {} : { monitoring: labelsIn(monitoring) }),
    ...(docs === undefined ? {} : { docs }),
  });
  console.error(`rights of stack '${stack}': ${["the common ones", ...granted].join(", ")}`);
  for (const feature of granted) {
    console.error(
      withPages(`warning: with the rights \`${feature}\`, whoever has the watch's token ${warnings[feature]}`),
    );
  }
  console.log(text.trimEnd());
}

function featureOf(name: string): Feature {
  const known = knownFeatures.find((each) => each === name);
  if (known === undefined) {
    throw new Problem(`There are no further rights '${name}'.`, {
      why: `There are ${knownFeatures.join(", ")}.`,
      remedy: "Name one of these after --with.",
    });
  }
  return known;
}

function labelsIn(monitoring: string | true): Record<string, string> {
  const [key = "", value = ""] = monitoring === true ? [] : monitoring.split("=", 2);
  return key === "" ? {} : { [key]: value };
}

/** Most bytes in a ConfigMap. */
const most = 1_000_000;

/** The files that a stack is configured by, by path in the project's folder: the watch reads them in its Pod. */
export function stackFiles(stack: string, source: Source, folder: string): ReadonlyMap<string, string> {
  const { members, pages, objects } = withFiles(source, folder);
  const paths = [
    "Pulumi.yaml",
    stackFile(folder, stack),
    source.file,
    ...(members === undefined ? [] : [members.file]),
    // First the folder itself.
    ...(pages?.files.slice(1) ?? []),
    ...(objects?.keys() ?? []),
  ].map(normalize);
  const outside = paths.find((path) => isAbsolute(path) || path.startsWith(".."));
  if (outside !== undefined) {
    throw new RunError(
      `The Pod can't have '${outside}', which is outside of the project's folder. Move it into the folder, or make the ConfigMap yourself and add --no-config.`,
    );
  }
  const files = new Map([...new Set(paths)].map((path) => [path, readFileSync(join(folder, path), "utf8")]));
  const bytes = [...files.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes > most) {
    throw new RunError(
      `The stack's files have ${bytes} bytes, and a ConfigMap holds ${most}. Split the list into shards (docs/run/shards.md), or run the watch on a machine (docs/run/watch.md).`,
    );
  }
  return files;
}
