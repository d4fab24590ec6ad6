import { previewNeeds } from "../../watch/manifests/rights/needs.ts";
import { commonRights, optionalRights } from "../../watch/manifests/rights/optional.ts";
import type { Right } from "../../watch/manifests/rights/rights.ts";
import {
  fileText,
  namespaceText,
  optionalText,
  roleText,
  serviceAccountText,
} from "../../watch/manifests/rights/roles.ts";
import { leastOf, sectionsOf } from "../../watch/manifests/rights/rules.ts";

const identity = "kubecamp-preview";

const header = `
The rights of whoever runs previews, such as a pipeline for pull requests: it reads what a preview of any stack with an
ingress controller reads, in the whole cluster, and writes nothing. test/e2e/isolation/previewIdentity.test.ts holds that
this is enough and no more; docs/run/preview-identity.md says how to use it, and what a preview with it can't check.

An API server takes a dry run of a write for a write, and refuses it: Pulumi's plugin then shows what is declared.
As in deploy/watch/namespace.yaml: whichever is applied last, changes nothing.`;

const headings = [
  {
    comment: `
\`list\` is the program's: what is there, and whose it is. \`get\` is the plugin's, for each object that is in Pulumi's state,
when a preview is to change it, or refreshes.`,
  },
  {
    comment: "For `readiness.requires: endpoints`, and for headless Services.",
    resources: ["endpointslices"],
  },
  {
    comment: `
What is lost or stopped when somebody leaves or is suspended. Only their names are read, but the right is for all that
pods have written into them: leave it out where that is too much, and previews say that they did not look.`,
    resources: ["persistentvolumeclaims", "pods"],
  },
];

/** Further text in the comment of a feature's file. */
const remarks: Readonly<Record<string, string>> = {
  "backend-ca": `: the Secret with the CA of members' Services, beside the controller,
of stack \`prod\`. A CA's certificate is no secret; of other Secrets nothing can be read.`,
  buckets: `: whether the Secret and the ConfigMap of each are there.

RBAC can't give a LIST for labels or names alone, nor for metadata alone, which is all that a preview asks for: whoever has the
token, such as a pipeline that runs what a pull request says, can read EVERY SECRET OF THE CLUSTER. Leave this file out where
that is too much: previews then say that they did not look. docs/run/preview-identity.md has more.`,
  cosi: ": what asks it for them. With `--refresh` alone.",
  gateway: ": members' routes, the Gateway, and the CA of members' Services (`route.backendTls.ca`).",
  objects: `. Put the names of the Secrets that you copy in the
place of \`registry\`: whoever has the token can read the Secrets of these names in every namespace. Of ConfigMaps, Deployments and
the like, a LIST can't be limited so: the token reads all of the cluster.`,
  "object-kinds": `. Put the groups and the resources of
your kinds in the place of \`example.org\` and \`widgets\`. A LIST can't be limited to members': the token reads all of the cluster.`,
  labs: `: the cluster's nodes and
classes, and the policy that fills in what pods leave out. Without the nodes, previews and ups say that they did not look.`,
  starter: ": their pages and Deployments, by their names.",
};

/** The preview identity's manifests, by file name. */
export function previewFiles(): Record<string, string> {
  const common = leastOf(commonRights(previewNeeds).map(anywhere));
  const role = { identity, name: identity, sections: sectionsOf(common, headings) } as const;
  return {
    "rbac.yaml": fileText(header, [namespaceText, serviceAccountText(identity), ...roleText(role)]),
    ...Object.fromEntries(
      optionalRights(previewNeeds).map((each) => [`optional/${each.name}.yaml`, optionalText(each, identity, remarks)]),
    ),
  };
}

/** One ClusterRole serves all stacks: their controllers' namespaces differ. */
const anywhere = ({ namespace: _, ...right }: Right): Right => right;
