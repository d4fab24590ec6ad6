import { alertingRules } from "../../watch/manifests/alerts.ts";
import { fenceText } from "../../watch/manifests/fence.ts";
import { objectText } from "../../watch/manifests/manifests.ts";
import { deploymentOf } from "../../watch/manifests/pod.ts";
import { kubeconfigOf, namespace } from "../../watch/manifests/podConfig.ts";
import { networkPolicyOf, serviceOf } from "../../watch/manifests/podNetwork.ts";
import { configurationOf, example } from "../../watch/manifests/rights/samples.ts";
import { rightsTexts } from "../../watch/manifests/rights/watchRights.ts";

const head = `# As \`kubecamp watch manifests\` makes it for an example, stack \`prod\`: to read, not to apply. docs/run/watch-in-cluster.md
`;

const pod = {
  name: "kubecamp-watch",
  stack: example.stack,
  context: example.stack,
  image: "registry.example.org/kubecamp:0.1.0",
  prometheus: "monitoring",
};

/**
 * Output of `kubecamp watch manifests` for an example, by file name, with the rights of each feature.
 * @param fence text of fence.yaml
 */
export function watchFiles(fence: string): Record<string, string> {
  const { settings } = configurationOf({});
  const { common, optional } = rightsTexts(example);
  const objects = (...all: readonly object[]) => all.map(objectText).join("---\n");
  const files = {
    "namespace.yaml": objects(namespace),
    "rbac.yaml": common,
    "fence.yaml": fenceText(settings, fence),
    "deployment.yaml": objects(kubeconfigOf(pod), deploymentOf(pod)),
    "network.yaml": objects(serviceOf(pod), networkPolicyOf(pod)),
    ...Object.fromEntries([...optional].map(([name, text]) => [`optional/${name}.yaml`, text])),
  };
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [name, head + text]));
}

/** A file of alerting rules, for a Prometheus without the operator. */
export const alertsText = (): string => head + objectText(alertingRules(example.stack));
