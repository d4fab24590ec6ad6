import { type AdmissionPolicy, admissionPolicyName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { sharedMetadata } from "../metadata.ts";

/** Requests that a policy judges: for namespaced objects, and for subresources only if they are named. */
export interface JudgedRequests {
  readonly apiGroups: readonly string[];
  /** With subresources, such as `pods/ephemeralcontainers`; `*` for all resources of the groups. */
  readonly resources: readonly string[];
  /** A deletion has no `object`, and a deletion of many is judged once for each. Default: CREATE and UPDATE. */
  readonly operations?: readonly Operation[];
}

type Operation = "CREATE" | "DELETE" | "UPDATE";

/** A condition under which a request is judged at all, in CEL without variables. */
interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

/** A condition for each request, and the message if it is false; both in CEL. */
export interface Validation {
  readonly expression: string;
  /** The mistake, the reason and a solution, in one line. */
  readonly messageExpression: string;
}

export interface PolicyContent {
  readonly requests: readonly JudgedRequests[];
  readonly matchConditions?: readonly MatchCondition[];
  /** CEL expressions by name, each after those that it uses. The first of all is `contact`, whom people can ask. */
  readonly variables: Readonly<Record<string, string>>;
  readonly validations: readonly Validation[];
}

/** A validation from which the admin may make an exception. @param message CEL that ends in a literal */
export function unlessAsked(expression: string, message: string): Validation {
  if (!message.endsWith('"')) {
    throw new Error(`the message does not end in a literal: ${message}`);
  }
  return {
    expression,
    messageExpression: `${message.slice(0, -1)}; ask " + variables.contact + " if it has to be"`,
  };
}

/** CEL: the value of an annotation of the member's namespace; empty without it. */
export const annotationOf = (name: string) => `namespaceObject.metadata.?annotations[?'${name}'].orValue('')`;

/** CEL: names in such an annotation, with commas between them. */
export const namesIn = (annotation: string) => `${annotationOf(annotation)}.split(',').filter(name, name != '')`;

export const hasAnnotation = (name: string) => `namespaceObject.metadata.?annotations[?'${name}'].hasValue()`;

/**
 * Kinds of parameters: a policy is evaluated once for each of them, and its binding has to select them.
 * @see https://kubernetes.io/docs/reference/kubernetes-api/policy-resources/validating-admission-policy-v1/#ParamKind
 */
export const paramKinds: Readonly<
  Partial<Record<AdmissionPolicy, { readonly apiVersion: string; readonly kind: string }>>
> = {
  pods: { apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass" },
};

/**
 * An admission policy of the stack. It reads differences between members from their namespace, which only the platform can
 * write. It states the API server's defaults, so that the live policy can be compared as a whole.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
 */
export function admissionPolicy(policy: AdmissionPolicy, content: PolicyContent, settings: Settings) {
  const paramKind = paramKinds[policy];
  const { requests, matchConditions, variables, validations } = content;
  return {
    metadata: sharedMetadata(admissionPolicyName(policy, settings), settings),
    spec: {
      failurePolicy: "Fail",
      ...(paramKind === undefined ? {} : { paramKind }),
      matchConstraints: matchConstraints(requests),
      ...(matchConditions === undefined ? {} : { matchConditions: expressionsOf(matchConditions) }),
      variables: variablesOf({ contact: celText(settings.contact), ...variables }),
      validations: validations.map(({ expression, messageExpression }) => ({
        expression: indented(expression),
        messageExpression: indented(messageExpression),
        // The same reason as RBAC's: another try with other words won't do.
        reason: "Forbidden",
      })),
    },
  };
}

/** @see https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/ */
export const matchConstraints = (requests: readonly JudgedRequests[]) => ({
  matchPolicy: "Equivalent",
  namespaceSelector: {},
  objectSelector: {},
  resourceRules: requests.map(({ apiGroups, resources, operations = ["CREATE", "UPDATE"] }) => ({
    apiGroups: [...apiGroups],
    // Every version, including future ones. Of an autoscaler, autoscaling/v1 shows only some of its metrics: the API server
    // converts such a request to the version that is named.
    apiVersions: apiGroups.includes("autoscaling") ? ["v2"] : ["*"],
    operations: [...operations],
    resources: [...resources],
    // Cluster-scoped objects would be judged whatever namespaces the binding selects.
    scope: "Namespaced",
  })),
});

export const variablesOf = (variables: Readonly<Record<string, string>>) =>
  expressionsOf(Object.entries(variables).map(([name, expression]) => ({ name, expression })));

export const expressionsOf = (named: readonly MatchCondition[]) =>
  named.map(({ name, expression }) => ({ name, expression: indented(expression) }));

/** An expression without the indentation of the file that it is in; further lines keep theirs among each other. */
export function indented(expression: string): string {
  const [first = "", ...rest] = expression.trim().split("\n");
  const depth = Math.min(...rest.filter((line) => line.trim() !== "").map((line) => line.search(/\S/)));
  return [first, ...rest.map((line) => `  ${line.slice(depth)}`)].join("\n");
}

/**
 * Variables about the object as it is to be, and for each `<name>Before` about the object as it was. In their expressions,
 * `object` is null for a deletion, and, for the ones about before, for a new object.
 */
export function withBefore(variables: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const names = new RegExp(`\\bvariables\\.(${Object.keys(variables).join("|")})\\b`, "g");
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, expression]) => [
      [name, expression],
      [`${name}Before`, before(expression).replaceAll(names, "$&Before")],
    ]),
  );
}

export const before = (expression: string) => expression.replaceAll(/\bobject\b/g, "oldObject");

/** A text as a CEL literal. */
export const celText = (text: string) => JSON.stringify(text);

export const celTexts = (texts: readonly string[]) => `[${texts.map((text) => `'${text}'`).join(", ")}]`;

/** CEL: kind and name of the object, with a blank behind them. */
export const title = "object.kind + \" '\" + object.metadata.?name.orValue('') + \"' \"";

/** CEL: from Kubernetes itself or a ServiceAccount of another namespace, so not from the member's pods. */
export const isController = `
  'system:serviceaccounts' in request.userInfo.groups
  ? !('system:serviceaccounts:' + request.namespace in request.userInfo.groups)
  : request.userInfo.username.startsWith('system:')`;

/** CEL: whether the request is from the platform: someone who may patch the namespace itself. */
export const isPlatform = `
  authorizer.group('').resource('namespaces').namespace(request.namespace).name(request.namespace)
  .check('patch').allowed()`;
