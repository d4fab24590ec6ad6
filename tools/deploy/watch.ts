import { parseConfiguration } from "../../config/configuration.ts";
import { alertingRules } from "../../watch/manifests/alerts.ts";
import { features, featureText } from "../../watch/manifests/features.ts";
import { networkPolicyOf, serviceOf, yamlOf } from "../../watch/manifests/manifests.ts";
import { deploymentOf, kubeconfigOf, systemNamespace } from "../../watch/manifests/pod.ts";
import { rightsText } from "../../watch/manifests/watchRights.ts";

const head = `# As \`kubecamp watch manifests\` makes it for an example, stack \`prod\`: to read, not to apply. docs/run/watch-in-cluster.md
`;

const stack = "prod";
const pod = {
  name: "kubecamp-watch",
  stack,
  context: stack,
  image: "registry.example.org/kubecamp:1.0.0",
  prometheus: "monitoring",
};

/** Output of `kubecamp watch manifests` for an example but the fence, by file name, with the rights of each feature. */
export function watchFiles(): Record<string, string> {
  const example = { route: { host: "apps.example.org", controller: "ingress-nginx" }, members: [] };
  const parsed = parseConfiguration(stack, example, "2026-01-01");
  if ("mistakes" in parsed) {
    throw new Error(JSON.stringify(parsed.mistakes));
  }
  const { settings } = parsed.configuration;
  const objects = (...all: readonly object[]) => all.map(yamlOf).join("---\n");
  const files = {
    "namespace.yaml": objects(systemNamespace),
    "rbac.yaml": rightsText(settings),
    "deployment.yaml": objects(kubeconfigOf(pod), deploymentOf(pod)),
    "network.yaml": objects(serviceOf(pod), networkPolicyOf(pod)),
    ...Object.fromEntries(features.map((feature) => [`optional/${feature}.yaml`, featureText(feature, settings)])),
  };
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [name, head + text]));
}

/** A file of alerting rules, for a Prometheus without the operator. */
export const alertsText = (): string => head + yamlOf(alertingRules(stack));
