import { adminsNeeds, grantedIn, watchNeeds } from "./needs.ts";
import { commonRights, optionalRights } from "./optional.ts";
import { fileText, optionalText, roleText, serviceAccountText, system } from "./roles.ts";
import { beyond, type Heading, leastOf, sectionsOf } from "./rules.ts";
import { configurationOf, labs, pipelined, staffed } from "./samples.ts";
import { comments, lease, leaseRights, optionalHeadings, remarks } from "./watchTexts.ts";

const identity = "kubecamp-watch";

const reading = ["list", "watch"];
const headings: readonly Heading[] = [
  { comment: comments.read, verbs: reading },
  { comment: comments.behind, verbs: reading, resources: ["endpointslices"] },
  { comment: comments.homes, resources: ["namespaces"] },
  { comment: comments.guards, resources: ["limitranges", "networkpolicies", "resourcequotas"] },
  { comment: comments.serviceAccounts, resources: ["serviceaccounts"] },
  { comment: comments.policies, resources: ["validatingadmissionpolicies", "validatingadmissionpolicybindings"] },
  { comment: comments.keys, resources: ["rolebindings", "roles"] },
  { comment: comments.views, resources: ["clusterrolebindings", "clusterroles"] },
  { comment: comments.pods, resources: ["pods"] },
  { comment: comments.events, resources: ["events"], verbs: ["create", ...reading] },
  { comment: comments.others },
];

/** The watch's manifests of its rights, by file name. */
export function watchFiles(): Record<string, string> {
  const sample = configurationOf({});
  const { namespace } = sample.settings.route;
  const common = commonRights(watchNeeds);
  const granted = leastOf(grantedIn(sample));
  const anywhere = common.filter((right) => right.namespace === undefined);
  const beside = common.filter((right) => right.namespace === namespace);
  const sections = [...sectionsOf(beyond(anywhere, granted), headings), { comment: comments.granted, rights: granted }];
  const { routes } = comments;
  const policies = {
    name: "policies",
    purpose: "a watch that writes the stack's admission policies",
    namespace,
    rights: leastOf([labs, staffed, pipelined].flatMap((sample) => adminsNeeds(configurationOf(sample)))),
  };
  return {
    "rbac.yaml": fileText(comments.file, [
      serviceAccountText(identity),
      ...roleText({ identity, name: identity, sections }),
      lease,
      ...roleText({ identity, name: `${identity}-lease`, namespace: system, sections: [{ rights: leaseRights }] }),
      ...roleText({ identity, name: identity, namespace, comment: routes, sections: [{ rights: beside }] }),
    ]),
    ...Object.fromEntries(
      [...optionalRights(watchNeeds), policies].map((each) => optionalText(each, identity, remarks, optionalHeadings)),
    ),
  };
}
