import { stringify } from "yaml";
import type { Configuration } from "../../config/model/settings/settings.ts";
import { boardDoorOf, boardServiceOf } from "./boardDoor.ts";
import { fenceText } from "./fence.ts";
import { monitoringOf } from "./monitoring.ts";
import { deploymentOf } from "./pod.ts";
import { configOf, kubeconfigOf, namespace } from "./podConfig.ts";
import { networkPolicyOf, serviceOf } from "./podNetwork.ts";
import type { PodOptions } from "./podOptions.ts";
import { type Feature, featuresOf, featureText } from "./rights/features.ts";
import { rightsText } from "./rights/watchRights.ts";

/** Identity of the rights and of the fence, as their texts have it. */
const identity = "kubecamp-watch";

export interface ManifestOptions {
  /** Name of the watch's objects: another for a second watch on the cluster. */
  readonly name: string;
  /** Undefined for the rights alone. */
  readonly image?: string;
  /** Features to grant rights for that the stack does not have yet, and `policies`. */
  readonly features: readonly Feature[];
  readonly files?: ReadonlyMap<string, string>;
  readonly prometheus: string;
  /** Labels of the objects for the Prometheus Operator. Default: no such objects. */
  readonly monitoring?: Readonly<Record<string, string>>;
  readonly docs?: string;
}

/** The watch's manifests for one stack: the features that they grant rights for, and YAML to apply. */
interface WatchManifests {
  readonly features: readonly Feature[];
  readonly text: string;
}

export function watchManifests(stack: Configuration, options: ManifestOptions): WatchManifests {
  const { settings } = stack;
  const { name, monitoring, docs } = options;
  const features = [...new Set([...featuresOf(stack), ...options.features])];
  const granted = features.map((feature) => featureText(feature, settings));
  const texts = [rightsText(settings), ...granted, fenceText(settings)].map((text) => text.replaceAll(identity, name));
  const pod = podOf(stack, options);
  const objects = [
    ...(pod === undefined
      ? []
      : [
          ...(pod.files === undefined ? [] : [configOf(pod)]),
          kubeconfigOf(pod),
          deploymentOf(pod),
          serviceOf(pod),
          networkPolicyOf(pod),
          ...(pod.board === undefined
            ? []
            : [boardServiceOf(name, pod.board.board), ...boardDoorOf(name, pod.board.board, pod.board)]),
        ]),
    ...(monitoring === undefined ? [] : monitoringOf(name, settings.stack, monitoring, docs)),
  ];
  return { features, text: [objectText(namespace), ...texts, ...objects.map(objectText)].join("---\n") };
}

/** An object as YAML; a text stays on its lines. */
export const objectText = (object: object): string => stringify(object, { lineWidth: 0, aliasDuplicateObjects: false });

function podOf({ settings }: Configuration, { name, image, files, prometheus }: ManifestOptions) {
  const { stack, cluster, board } = settings;
  return image === undefined
    ? undefined
    : ({
        ...{ name, stack, image, prometheus },
        context: cluster.context ?? stack,
        ...(files === undefined ? {} : { files }),
        ...(board === undefined ? {} : { board: { ...settings, board } }),
      } satisfies PodOptions);
}
