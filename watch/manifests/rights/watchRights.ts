import type { Configuration } from "../../../config/model/settings/settings.ts";
import { adminsNeeds, grantedIn, watchNeeds } from "./needs.ts";
import { commonRights, featuresOf, optionalRights } from "./optional.ts";
import { fileText, optionalText, roleText, serviceAccountText, system } from "./roles.ts";
import { beyond, type Heading, leastOf, sectionsOf } from "./rules.ts";
import { configurationOf, labs, type Names, pipelined, staffed } from "./samples.ts";
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

/** The feature that no setting asks for: the admin does. */
export const policies = "policies";

/** The features whose rights a stack's watch needs. */
export const neededFeatures = (stack: Configuration, names: Names, asked: readonly string[]): string[] => [
  ...new Set([...featuresOf(stack, names), ...asked]),
];

/** The watch's rights as YAML: those of every stack, and further ones by feature. */
interface RightsTexts {
  readonly common: string;
  readonly optional: ReadonlyMap<string, string>;
}

/**
 * @param hasGateway whether routes are in members' namespaces, and nothing is beside a controller
 * @param wanted features to compute further rights for. Default: all
 */
export function rightsTexts(names: Names, hasGateway = false, wanted?: readonly string[]): RightsTexts {
  const sample = configurationOf({}, names.stack);
  const { namespace: usual } = sample.settings.route;
  const namespace = names.namespace ?? usual;
  const common = commonRights(watchNeeds, names);
  const granted = leastOf(grantedIn(sample));
  const anywhere = common.filter((right) => right.namespace === undefined);
  const beside = common.filter((right) => right.namespace === namespace);
  const sections = [...sectionsOf(beyond(anywhere, granted), headings), { comment: comments.granted, rights: granted }];
  const { routes } = comments;
  const ofPolicies = () => ({
    name: policies,
    purpose: "a watch that writes the stack's admission policies",
    namespace,
    rights: leastOf([labs, staffed, pipelined].flatMap((each) => adminsNeeds(configurationOf(each, names.stack)))),
  });
  const isWanted = wanted?.includes(policies) ?? true;
  return {
    common: fileText(comments.file, [
      serviceAccountText(identity),
      ...roleText({ identity, name: identity, sections }),
      lease,
      ...roleText({ identity, name: `${identity}-lease`, namespace: system, sections: [{ rights: leaseRights }] }),
      ...(hasGateway
        ? []
        : roleText({ identity, name: identity, namespace, comment: routes, sections: [{ rights: beside }] })),
    ]),
    optional: new Map(
      [...optionalRights(watchNeeds, names, wanted), ...(isWanted ? [ofPolicies()] : [])].map((each) => [
        each.name,
        optionalText(each, identity, remarks, optionalHeadings),
      ]),
    ),
  };
}
