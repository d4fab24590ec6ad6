import type { Settings } from "../../../config/model/settings.ts";
import { stackLabels } from "../../../naming/labels.ts";
import { type AdmissionPolicy, admissionPolicyName } from "../../../naming/names.ts";
import { goneAtOnce } from "../deletion.ts";

/** Which requests a policy judges: those for what stands in a namespace, never those for subresources not named. */
export interface JudgedRequests {
  readonly apiGroups: readonly string[];
  /** With their subresources, such as `pods/ephemeralcontainers`; `*` for all of the groups. */
  readonly resources: readonly string[];
  /** A deletion has no `object`, and one of many at once is judged for each. Default: what makes and what changes something. */
  readonly operations?: readonly Operation[];
}

type Operation = "CREATE" | "DELETE" | "UPDATE";

/** What must be true of each of them, and what is said if it is not. All of it is CEL. */
export interface Validation {
  readonly expression: string;
  /** What is wrong, why, and the way out, in one line. */
  readonly messageExpression: string;
}

/** What a policy says. */
export interface PolicyContent {
  readonly requests: readonly JudgedRequests[];
  /** CEL without variables: which of these requests are judged at all, where it is not all of them. */
  readonly matchCondition?: { readonly name: string; readonly expression: string };
  /** Expressions by the name that others have for them, each after those that it needs. */
  readonly variables: Readonly<Record<string, string>>;
  readonly validations: readonly Validation[];
}

/**
 * What a policy is evaluated once for each of, beside what is asked for; what puts it in force has to say which of them.
 * @see https://kubernetes.io/docs/reference/kubernetes-api/policy-resources/validating-admission-policy-v1/#ParamKind
 */
export const paramKinds: Readonly<
  Partial<Record<AdmissionPolicy, { readonly apiVersion: string; readonly kind: string }>>
> = {
  pods: { apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass" },
};

/**
 * A policy of the stack's own. What differs between members, it reads from their namespace: nobody but the platform can
 * write that. It says all that the API server would add, so that what is live can be compared with it as a whole.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
 */
export function admissionPolicy(policy: AdmissionPolicy, content: PolicyContent, settings: Settings) {
  const paramKind = paramKinds[policy];
  const { requests, matchCondition, variables, validations } = content;
  return {
    metadata: { name: admissionPolicyName(policy, settings), labels: stackLabels(settings), annotations: goneAtOnce },
    spec: {
      failurePolicy: "Fail",
      ...(paramKind === undefined ? {} : { paramKind }),
      matchConstraints: {
        matchPolicy: "Equivalent",
        namespaceSelector: {},
        objectSelector: {},
        resourceRules: requests.map(({ apiGroups, resources, operations = ["CREATE", "UPDATE"] }) => ({
          apiGroups: [...apiGroups],
          // In whatever version it is asked for, also one that is yet to come.
          apiVersions: ["*"],
          operations: [...operations],
          resources: [...resources],
          // What stands in no namespace would be judged whatever the namespaces of the binding.
          scope: "Namespaced",
        })),
      },
      ...(matchCondition === undefined
        ? {}
        : { matchConditions: [{ ...matchCondition, expression: lines(matchCondition.expression) }] }),
      variables: Object.entries(variables).map(([name, expression]) => ({ name, expression: lines(expression) })),
      validations: validations.map(({ expression, messageExpression }) => ({
        expression: lines(expression),
        messageExpression: lines(messageExpression),
        // Which is what RBAC says, too: it will not do to try again with other words.
        reason: "Forbidden",
      })),
    },
  };
}

/**
 * A text as CEL writes it.
 * @see https://github.com/google/cel-spec/blob/master/doc/langdef.md#string-and-bytes-values
 */
export const celText = (text: string) => JSON.stringify(text);

/** CEL: whether a controller asks that is none of the member's own pods: a ServiceAccount of another namespace, or Kubernetes itself. */
export const isController = `'system:serviceaccounts' in request.userInfo.groups
  ? !('system:serviceaccounts:' + request.namespace in request.userInfo.groups)
  : request.userInfo.username.startsWith('system:')`;

/** CEL: whether the platform asks, which is who may change the namespace itself; as the API server asks it of such a request. */
export const isPlatform = `authorizer.group('').resource('namespaces').namespace(request.namespace).name(request.namespace)
  .check('patch').allowed()`;

/** As it is written in a template, without the indent. */
const lines = (expression: string) => expression.replaceAll(/\s*\n\s*/g, " ").trim();
