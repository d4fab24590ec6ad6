import { kubectlDelete } from "../../cluster/kinds/objectName.ts";
import type { ClassKind } from "../../cluster/read/snapshot.ts";
import { anotherClusterText } from "../../config/cluster.ts";
import { adoptAnnotation, memberLabel, stackLabel } from "../../config/names/labels.ts";
import { namespaceName } from "../../config/names/names.ts";
import { nearest } from "../../config/values/nearest.ts";
import { firstFew, nameLines } from "../../config/values/sentences.ts";
import type { Code, Finding, RefusalCode } from "./finding.ts";
import type { Disowned, Foreign, RefusalFacts } from "./refusalFacts.ts";
import { tooManyRemovals } from "./removalWords.ts";
import { each, type Wording } from "./wording.ts";

/** Limits of names in a sentence. */
const mostNames = { bucketServer: 3, classes: 5, knownElsewhere: 5, unguarded: 2, unknownClass: 3, unmarked: 5 };

/** Settings that name classes. */
const classSettings: Readonly<Record<ClassKind, string>> = { RuntimeClass: "runtimeClasses", StorageClass: "storage" };

/** The text of each refusal, with a solution. */
export const refusalWords: { readonly [C in RefusalCode]: Wording<C> } = {
  anotherCluster: each(({ facts: { id, declared } }) => anotherClusterText(id, declared)),
  bucketServer: each(
    ({ facts: { members } }) =>
      `${firstFew(members, mostNames.bucketServer)} ${members.length === 1 ? "has" : "have"} buckets on an S3 server, and kubecamp:storage no longer names it; ` +
      "set it as it was, remove the buckets from the list, run, then remove it",
  ),
  clusterDomain: each(
    ({ facts: { found, declared } }) =>
      `the cluster's DNS domain is '${found}', as the API server's certificate says, but every path would lead to ` +
      `'${declared}' and answer 502; set domain: ${found} in kubecamp:cluster, or the one that is right`,
  ),
  foreign: each((one) => ofMember(one, foreignText(one, one.facts))),
  jobElsewhere: each((one) => {
    const { job, owner, stack } = one.facts;
    return ofMember(
      one,
      `CI job '${job}' deploys for member '${owner}' of stack '${stack}' already, and a job has one namespace; ` +
        `take it out of this entry's ci, or out of that of '${owner}', and bring up stack '${stack}' first`,
    );
  }),
  knownElsewhere: each(({ facts: { moved, stack, family, isStateKnown } }) => {
    const names = firstFew(
      moved.map(({ member, to }) => `${member} (${to})`),
      mostNames.knownElsewhere,
    );
    const has = isStateKnown ? "has" : `could not be read ('pulumi stack export --stack ${stack}'), and may have`;
    return (
      `Pulumi's state of this stack ${has} members that belong to another stack now, and a run would delete their namespaces: ${names}; ` +
      `the state is an old one, or their label ${stackLabel} was changed by hand. 'kubecamp up --stack ${family}' repairs that first`
    );
  }),
  lostRoute: each((one) => {
    const { foreign, stack, isStateKnown } = one.facts;
    return ofMember(
      one,
      `${foreignText(one, foreign)}. Pulumi's state ${isStateKnown ? "has" : "could not be read, and may have"} ` +
        "their route under that name, and 'route: false' would delete it: rename it, or have the state forget the route " +
        `('pulumi stack --show-urns --stack ${stack}', then 'pulumi state delete URN --stack ${stack}')`,
    );
  }),
  namespaceEnding: each((one) => {
    const { unreadStateOf } = one.facts;
    const unread =
      unreadStateOf === undefined
        ? ""
        : `; only Pulumi's state tells whether a run can go on before that, and it could not be read ('pulumi stack export --stack ${unreadStateOf}')`;
    return ofMember(
      one,
      `namespace '${namespaceName({ name: one.member ?? "" })}' is still being deleted; wait until it is gone, then run again${unread}`,
    );
  }),
  noController: each(
    ({ facts: { namespace, isTerminating, install } }) =>
      `namespace '${namespace}' (route.namespace) ${isTerminating ? "is being deleted" : "does not exist"}; ${install}`,
  ),
  pathTaken: each((one) => {
    const { url, giver, stack } = one.facts;
    return ofMember(
      one,
      `${url} is still the address of member '${giver}', which this run does not cover; ` +
        `run for both: kubecamp up --stack ${stack} --member ${giver} --member ${one.member}`,
    );
  }),
  protectedRemoval: each(({ facts: { members } }) => {
    const [who, entry] =
      members.length === 1
        ? ["a protected member is", "the entry"]
        : [`${members.length} protected members are`, "the entries"];
    return `${who} no longer in the list, and can't be removed:
${nameLines(members, "      ")}
    Put ${entry} back. To remove them anyway, set 'protect: false' there and run 'pulumi up';
    then take ${entry} out and run it again.`;
  }),
  removalConflict: each(
    ({ member, facts: { stack, disowned } }) =>
      `'${member}' is no longer in the list, Pulumi's state has their namespace, and that ${disownedText(disowned)}: removing them would delete it.
    To delete it: kubectl label namespace ${member} ${stackLabel}=${stack} ${memberLabel}=${member} --overwrite
    To keep it: put '${member}' back into the list; or have this stack forget it, resource by resource:
      pulumi stack --show-urns --stack ${stack}
      pulumi state delete URN --stack ${stack}`,
  ),
  targetedElsewhere: each((one) =>
    ofMember(one, `belongs to stack '${one.facts.stack}', and only its runs can target that member`, " "),
  ),
  tooManyRemovals,
  unfit: each((one) => ofMember(one, `${one.object} ${unfitText(one.facts)}, then run again`)),
  unguarded: each((one) =>
    ofMember(
      one,
      `gets no access while policies that guard members are missing (${firstFew(one.facts.policies, mostNames.unguarded)}); ` +
        `do a full run first: pulumi up --stack ${one.facts.stack} --refresh`,
      " ",
    ),
  ),
  unmarked: each((one) => {
    const { objects, isHomeThere, stack } = one.facts;
    const make = isHomeThere ? "" : `kubectl create namespace ${one.member} && `;
    return ofMember(
      one,
      `adopt would take over ${firstFew(objects, mostNames.unmarked)}, and whoever edits the members file can't decide that: ` +
        "choose another name, or mark the namespace if the member is to have it with everything in it: " +
        `${make}kubectl annotate namespace ${one.member} ${adoptAnnotation}=${stack}`,
    );
  }),
  unknownClass: each(({ facts: { kind, name, members, known } }) => {
    const who = firstFew(members, mostNames.unknownClass);
    const meant = nearest(name, known);
    const has = known.length === 0 ? "none" : firstFew(known, mostNames.classes);
    return (
      `the cluster has no ${kind} '${name}', which ${who} may use${meant === "" ? "; make" : `${meant} Make`} it, ` +
      `or take it out of ${classSettings[kind]} (the cluster has ${has})`
    );
  }),
  unknownRemovals: each(
    ({ facts: { members, stack } }) =>
      `Pulumi's state of this stack could not be read, and may have namespaces that now belong to others, which the run would delete:
${nameLines(members, "      ")}
    Find out why this fails, and run again: pulumi stack export --stack ${stack}`,
  ),
};

const ofMember = ({ member }: Pick<Finding<Code>, "member">, text: string, between = ": ") =>
  member === undefined ? text : `member '${member}'${between}${text}`;

function foreignText(
  { object, member }: Pick<Finding<Code>, "object" | "member">,
  { stack, owner, adopts }: Foreign,
): string {
  if (stack !== undefined) {
    // The other stack's state keeps the object after a takeover.
    const later = adopts ? ", which would delete it one day: adopt can't take it over" : "";
    const ways = "choose another name, or remove the member from that stack first";
    return `${object} belongs to stack '${stack}'${later}; a member can be in one stack only: ${ways}`;
  }
  if (owner !== undefined) {
    return `${object} belongs to member '${owner}'; choose another name`;
  }
  const ways =
    member === undefined
      ? "delete it if nobody needs it"
      : "choose another name, delete it if nobody needs it, or set adopt: true on the member to take it over";
  return `${object} exists already and is not kubecamp's; ${ways}`;
}

function unfitText({ name, unfit }: RefusalFacts["unfit"]): string {
  const remove = `; delete it if nobody needs it ('${kubectlDelete([name])}')`;
  switch (unfit.why) {
    case "terminating":
      return "is being deleted; wait until it is gone";
    case "role":
      return `is to the ${unfit.role}, and a binding's role can't be changed${remove}`;
    case "scopes":
      return `has scopes, which can't be removed${remove}`;
    case "type":
      return `is of type ${unfit.type}, and would lose its address${remove}`;
    case "port":
      return `has port ${unfit.port} without a name of its own; give it one ('kubectl edit service ${name.name} -n ${name.namespace}')`;
  }
}

function disownedText(disowned: Disowned): string {
  switch (disowned.why) {
    case "another":
      return `is a new one, without the label ${stackLabel}`;
    case "unlabelled":
      return `has lost the label ${stackLabel}`;
    case "labelled":
      return `has the label ${stackLabel}: ${disowned.label}`;
  }
}
