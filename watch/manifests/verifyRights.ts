import { resourceOf } from "../../cluster/kinds/kinds.ts";
import { type StackKind, stackKindsOf } from "../../cluster/kinds/stackKinds.ts";
import { selectionsFor } from "../../cluster/read/stackObjects.ts";
import type { Member } from "../../config/member/member.ts";
import { othersViews } from "../../config/member/types.ts";
import { stackLabel, verifyLabel } from "../../config/names/labels.ts";
import { ciAccountName, clusterRoleName, serviceAccountName } from "../../config/names/names.ts";
import type { Configuration } from "../../config/settings.ts";
import { subjects } from "../../objects/rbac/subjects.ts";
import { objectsOf, outsideOf } from "../../verify/stage/manifest.ts";
import {
  fileText,
  type PolicyRule,
  type RuleSection,
  roleText,
  ruleOf,
  rulesOf,
  serviceAccountText,
  system,
} from "./roles.ts";

const make = ["create", "patch"];

/** @param players members made for a while (`throwaways`) */
export function verifyRightsText(stack: Configuration, players: readonly Member[], name: string): string {
  return fileText("", [
    serviceAccountText(name),
    ...roleText(name, name, [reading(stack), impersonation(stack), making(stack, players)]),
    ...roleText(name, name, [{ comment: "The last result.", rules: [ruleOf("ConfigMap", make, [name])] }], system),
  ]);
}

/** Without Secrets: nobody should read all of the cluster for a comparison with what is declared. */
const reading = (stack: Configuration): RuleSection => ({
  comment: "What a preview reads, except for Secrets, and where connections lead.",
  rules: [
    ...rulesOf(
      stackKindsOf(stack.settings).filter((kind) => kind !== "Secret" && isListed(kind, stack)),
      ["list"],
    ),
    ...rulesOf(["DeviceClass", "EndpointSlice", "Gateway", "Node", "Pod", "RuntimeClass", "StorageClass"], ["list"]),
    ...rulesOf(["Namespace", "Pod", "ResourceQuota", "Service"], ["get"]),
    // By which it knows that the stack has had a run.
    ruleOf("ClusterRole", ["get"], [clusterRoleName("view", stack.settings)]),
  ],
});

const isListed = (kind: StackKind, stack: Configuration): boolean =>
  kind === "Namespace" || kind === "Service" || selectionsFor(stack, kind).length > 0;

/** Names in the list and the settings alone: others are of no stack. */
function groupsOf({ members, settings }: Configuration): string[] {
  const all = [...members.flatMap(subjects), ...(settings.staff ?? []).map(({ subject }) => subject)];
  return [...new Set(all.flatMap(({ kind, name }) => (kind === "Group" ? [name] : [])))].sort();
}

function impersonation(stack: Configuration): RuleSection {
  const groups = groupsOf(stack);
  const rule = (resource: string, resourceNames?: readonly string[]): PolicyRule => ({
    apiGroups: [""],
    resources: [resource],
    ...(resourceNames === undefined ? {} : { resourceNames }),
    verbs: ["impersonate"],
  });
  return {
    comment: `
Names of members made for a while differ each time, so that RBAC can't name these users: WHOEVER HAS THE TOKEN CAN ACT AS ANY
USER OF THE CLUSTER, with the rights that bindings give to the user, and to the groups here.`,
    rules: [
      rule("users"),
      rule("serviceaccounts", [serviceAccountName, ciAccountName]),
      ...(groups.length === 0 ? [] : [rule("groups", groups)]),
    ],
  };
}

function making({ settings }: Configuration, players: readonly Member[]): RuleSection {
  const objects = players.map((member) => ({ member, all: objectsOf(member, settings) }));
  const kinds = objects.flatMap(({ all: { base, route } }) => [...base, ...route]).map(({ kind }) => kind);
  const outside = objects.flatMap(({ member, all }) => outsideOf(all, member)).map(({ kind }) => kind);
  const unique = (all: readonly StackKind[]) => [...new Set(all)];
  return {
    comment: `
To make those members, their pods and Services, and to remove them. The fence refuses it elsewhere: with \`escalate\` and
\`bind\`, trials give rights that this has not.`,
    rules: [
      ...rulesOf(unique(kinds), make),
      ruleOf("Namespace", ["delete"]),
      ...rulesOf(unique(outside), ["get", "delete"]),
      ...rulesOf(["Pod", "Service"], ["create"]),
      ruleOf("Role", ["escalate", "bind"]),
      ruleOf(
        "ClusterRole",
        ["bind"],
        othersViews.map((view) => clusterRoleName(view, settings)),
      ),
    ],
  };
}

/**
 * Refuses to the identity whatever is no verification's, for which RBAC has no words.
 * @param players members made for a while
 */
export function verifyFence({ settings }: Configuration, players: readonly Member[], name: string): object[] {
  const { stack } = settings;
  const [own, metadata] = [JSON.stringify(stack), { name }];
  const isOurs = (of: string) => `${of}.metadata.?labels['${verifyLabel}'].orValue('') == ${own}`;
  const views = JSON.stringify(othersViews.map((view) => clusterRoleName(view, { stack })));
  const outside = players.flatMap((member) => outsideOf(objectsOf(member, settings), member));
  // Such as `ingress-nginx/ingresses`.
  const places = outside.flatMap(({ kind, namespace }) => (namespace ? [`${namespace}/${resourceOf(kind)}`] : []));
  const isPlace = `(namespaceObject.metadata.name + '/' + request.resource.resource) in ${JSON.stringify([...new Set(places)])}`;
  const ofNamespace = "request.resource.resource != 'namespaces' || object == null";
  return [
    {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicy",
      metadata,
      spec: {
        failurePolicy: "Fail",
        matchConstraints: {
          resourceRules: [{ apiGroups: ["*"], apiVersions: ["*"], resources: ["*/*"], operations: ["*"], scope: "*" }],
        },
        matchConditions: [
          { name: "by-verify", expression: `request.userInfo.username == 'system:serviceaccount:${system}:${name}'` },
          {
            name: "not-its-result",
            expression: `request.resource.resource != 'configmaps' || request.namespace != '${system}' || request.name != '${name}'`,
          },
        ],
        validations: [
          {
            expression: `namespaceObject != null && ${isOurs("namespaceObject")} || (namespaceObject == null || ${isPlace}) && [object, oldObject].all(o, o == null || ${isOurs("o")})`,
            message: `kubecamp verify may write routes, bindings and namespaces with the label ${verifyLabel}: ${stack}, and what is in such a namespace, alone`,
          },
          {
            expression: `${ofNamespace} || object.metadata.?labels['${stackLabel}'].orValue(${own}) == ${own}`,
            message: "kubecamp verify may make namespaces of its own stack alone",
          },
          {
            expression: `${ofNamespace} || object.metadata.?labels['pod-security.kubernetes.io/enforce'].orValue('') in ['baseline', 'restricted']`,
            message: "kubecamp verify may let nobody's pods be privileged",
          },
          {
            expression: `request.resource.resource != 'clusterrolebindings' || object == null || object.roleRef.name in ${views}`,
            message: "kubecamp verify may bind to its stack's views alone, above all not to its own role",
          },
        ],
      },
    },
    {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicyBinding",
      metadata,
      spec: { policyName: name, validationActions: ["Deny"] },
    },
  ];
}
