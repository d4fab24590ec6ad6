import { cosiGroup, cosiKinds } from "../../cluster/kinds/bucketKinds.ts";
import { stackKindsWhere } from "../../cluster/kinds/stackKinds.ts";
import { backendCaSecretName, ciAccountName, homeNames, serviceAccountName } from "../../config/names/names.ts";
import { yamlOf } from "../../watch/manifests/manifests.ts";
import { systemNamespace } from "../../watch/manifests/pod.ts";
import {
  fileText,
  type PolicyRule,
  roleText,
  ruleOf,
  rulesOf,
  serviceAccountText,
} from "../../watch/manifests/roles.ts";

const identity = "kubecamp-preview";
const read = ["get", "list"];

const header = `
The rights of whoever runs previews, such as a pipeline for pull requests: it reads what a preview of any stack reads, in the
whole cluster, and writes nothing. docs/run/preview-identity.md says how to use it, and what a preview with it can't check.
\`list\` is the program's; \`get\` is the plugin's, for each object in Pulumi's state that a preview is to change or refreshes.

An API server takes a dry run of a write for a write, and refuses it: Pulumi's plugin then shows what is declared.
As in deploy/watch/namespace.yaml: whichever is applied last, changes nothing.`;

const byName = ["ConfigMap", "Secret", "ServiceAccount"];
const configMaps = homeNames.filter(({ kind }) => kind === "ConfigMap").map(({ name }) => name);

const common = [
  {
    comment: "",
    rules: [
      ...rulesOf(
        stackKindsWhere().filter((kind) => !byName.includes(kind)),
        read,
      ),
      ruleOf("ConfigMap", read, configMaps),
      ruleOf("ServiceAccount", read, [serviceAccountName, ciAccountName]),
      // With `--refresh` alone.
      { apiGroups: [cosiGroup], resources: Object.values(cosiKinds), verbs: ["get"] },
      ...rulesOf(["DeviceClass", "EndpointSlice", "Gateway", "Node", "RuntimeClass", "StorageClass"], ["list"]),
    ],
  },
  {
    comment: `
What is lost or stopped when somebody leaves or is suspended. Only their names are read, but the right is for all that
pods have written into them: leave it out where that is too much, and previews say that they did not look.`,
    rules: rulesOf(["PersistentVolumeClaim", "Pod"], ["list"]),
  },
];

const optional: Readonly<Record<string, { readonly comment: string; readonly rules: readonly PolicyRule[] }>> = {
  objects: {
    comment: `
For objects for members (\`objects\`), and for \`route.backendTls.ca\` with an ingress controller. Put the names of the Secrets that
you copy in the place of \`registry\`, and your stack in the place of \`prod\`: whoever has the token can read the Secrets of these
names in every namespace, and all ConfigMaps of the cluster.`,
    rules: [ruleOf("ConfigMap", read), ruleOf("Secret", read, ["registry", backendCaSecretName({ stack: "prod" })])],
  },
  secrets: {
    comment: `
For buckets on an S3 server (\`storage\`, and \`buckets\` of members): whether the Secret and the ConfigMap of each are there.

RBAC can't give a LIST for labels or names alone, nor for metadata alone, which is all that a preview asks for: whoever has the
token, such as a pipeline that runs what a pull request says, can read EVERY SECRET OF THE CLUSTER. Leave this file out where
that is too much: previews then say that they did not look.`,
    rules: rulesOf(["ConfigMap", "Secret"], read),
  },
};

/** The preview identity's manifests, by file name. */
export function previewFiles(): Record<string, string> {
  return {
    "rbac.yaml": fileText(header, [
      yamlOf(systemNamespace).trimEnd(),
      serviceAccountText(identity),
      ...roleText(identity, identity, common),
    ]),
    ...Object.fromEntries(
      Object.entries(optional).map(([name, { comment, rules }]) => [
        `optional/${name}.yaml`,
        fileText(comment, roleText(identity, `${identity}-${name}`, [{ comment: "", rules }])),
      ]),
    ),
  };
}
