import type { ObjectName } from "../../../cluster/kinds/objectName.ts";
import type { ReadObject } from "../../../plan/rows/row.ts";
import { type Player, wordsOf } from "../../stage/stage.ts";

/** As in a Role, and in the answer to a SelfSubjectRulesReview. */
export interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  /** Default: all. */
  readonly resourceNames?: readonly string[];
}

/** What one verb does to one resource. */
export interface Right {
  readonly verb: string;
  readonly group: string;
  /** With the subresource, such as `pods/exec`. */
  readonly resource: string;
  /** Of the only object; empty for all. */
  readonly name: string;
}

/** Group of paths such as `/metrics`, which belong to no resource. */
export const paths = "(paths)";

/** Has paths as resources, too. */
export const ruleOf = ({
  nonResourceURLs = [],
  ...rule
}: Rule & { readonly nonResourceURLs?: readonly string[] }): Rule =>
  nonResourceURLs.length === 0 ? rule : { verbs: rule.verbs, apiGroups: [paths], resources: nonResourceURLs };

/**
 * What Kubernetes lets everybody do who has signed in.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/rbac/#discovery-roles
 */
export const everybodys: readonly Rule[] = [
  {
    verbs: ["create"],
    apiGroups: ["authorization.k8s.io"],
    resources: ["selfsubjectaccessreviews", "selfsubjectrulesreviews"],
  },
  { verbs: ["create"], apiGroups: ["authentication.k8s.io"], resources: ["selfsubjectreviews"] },
  // To ServiceAccounts alone, where the API server has the kind.
  { verbs: ["get", "list", "watch"], apiGroups: ["certificates.k8s.io"], resources: ["clustertrustbundles"] },
  {
    verbs: ["get"],
    apiGroups: [paths],
    resources: [
      ...["/api", "/api/*", "/apis", "/apis/*", "/openapi", "/openapi/*", "/version", "/version/"],
      ...["/healthz", "/livez", "/readyz"],
      // To ServiceAccounts alone.
      ...[
        "/.well-known/openid-configuration",
        "/.well-known/openid-configuration/",
        "/openid/v1/jwks",
        "/openid/v1/jwks/",
      ],
    ],
  },
];

export interface Subject {
  readonly kind: string;
  readonly name: string;
  /** Of a ServiceAccount. */
  readonly namespace?: string;
}

export const subjectKey = ({ kind, name, namespace = "" }: Subject): string => `${kind} ${namespace}/${name}`;

interface Grant {
  /** Undefined for the whole cluster. */
  readonly namespace: string | undefined;
  readonly rules: readonly Rule[];
}

export type Grants = ReadonlyMap<string, readonly Grant[]>;

interface Content {
  readonly rules?: readonly Rule[];
  readonly roleRef?: { readonly kind: string; readonly name: string };
  readonly subjects?: readonly Subject[];
}

/** What declared roles and bindings give, by subject. */
export function grantsIn(objects: readonly ReadObject[]): Grants {
  const place = (kind: string, name: string, namespace: string | undefined) =>
    `${kind} ${kind === "Role" ? namespace : ""}/${name}`;
  const of = (kinds: readonly ObjectName["kind"][]) => objects.filter(({ kind }) => kinds.includes(kind));
  const roles = new Map(
    of(["Role", "ClusterRole"]).map(({ kind, name, namespace, args }) => [
      place(kind, name, namespace),
      (args as Content).rules ?? [],
    ]),
  );
  const all = of(["RoleBinding", "ClusterRoleBinding"]).flatMap(({ namespace, args }) => {
    const { roleRef = { kind: "", name: "" }, subjects = [] } = args as Content;
    const rules = roles.get(place(roleRef.kind, roleRef.name, namespace)) ?? [];
    return subjects.map((subject) => ({ key: subjectKey(subject), grant: { namespace, rules } }));
  });
  return new Map(
    [...Map.groupBy(all, ({ key }) => key)].map(([key, own]) => [key, own.map(({ grant }) => grant)] as const),
  );
}

/** What is declared for a subject in a namespace. */
export const declaredRules = (grants: Grants, subject: Subject, namespace: string): readonly Rule[] =>
  (grants.get(subjectKey(subject)) ?? [])
    .filter((grant) => grant.namespace === undefined || grant.namespace === namespace)
    .flatMap(({ rules }) => rules);

const rightsOf = (rules: readonly Rule[]): Right[] =>
  rules.flatMap(({ verbs, apiGroups = [""], resources = [], resourceNames = [] }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        verbs.flatMap((verb) =>
          (resourceNames.length === 0 ? [""] : resourceNames).map((name) => ({ verb, group, resource, name })),
        ),
      ),
    ),
  );

const isGiven = (rules: readonly Rule[], { verb, group, resource, name }: Right): boolean => {
  const ofAny = resource.includes("/") ? [resource.replace(/^[^/]*/, "*")] : [];
  const has = (list: readonly string[] = [], ...those: readonly string[]) =>
    list.includes("*") || those.some((one) => list.includes(one));
  return rules.some(
    ({ verbs, apiGroups, resources, resourceNames = [] }) =>
      has(verbs, verb) &&
      has(apiGroups, group) &&
      has(resources, resource, ...ofAny) &&
      (resourceNames.length === 0 || resourceNames.includes(name)),
  );
};

/** Rights of the first that the second don't give. */
export const beyond = (rules: readonly Rule[], others: readonly Rule[]): readonly Right[] =>
  rightsOf(rules).filter((right) => !isGiven(others, right));

/** Such as `get, list secrets` and `patch deployments.apps/scale`. */
export function rightTexts(rights: readonly Right[]): string[] {
  const named = Map.groupBy(rights, ({ group, resource, name }) => {
    const [main = "", ...sub] = resource.split("/");
    const whole = group === paths ? resource : [group === "" ? main : `${main}.${group}`, ...sub].join("/");
    return name === "" ? whole : `${whole} '${name}'`;
  });
  return [...named].map(([what, own]) => `${[...new Set(own.map(({ verb }) => verb))].join(", ")} ${what}`);
}

interface Answered {
  readonly SelfSubjectAccessReview: { readonly allowed?: boolean; readonly reason?: string };
  readonly SelfSubjectRulesReview: {
    readonly resourceRules?: readonly Rule[] | null;
    readonly nonResourceRules?:
      | readonly { readonly verbs: readonly string[]; readonly nonResourceURLs?: readonly string[] }[]
      | null;
    readonly incomplete?: boolean;
    readonly evaluationError?: string;
  };
}

/**
 * Asks the API server what somebody may do, as themselves.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/authorization/#checking-api-access
 */
export async function review<K extends keyof Answered>(
  ask: Player["ask"],
  kind: K,
  spec: object,
): Promise<Answered[K]> {
  const body = { apiVersion: "authorization.k8s.io/v1", kind, spec };
  const answer = await ask("POST", `/apis/authorization.k8s.io/v1/${kind.toLowerCase()}s`, body);
  if (answer.status >= 300) {
    throw new Error(wordsOf(answer));
  }
  return (answer.body as { readonly status: Answered[K] }).status;
}

/** The question about a right. */
export function toReview({ verb, group, resource, name }: Right, namespace: string): object {
  const [main, subresource] = resource.split("/");
  return group === paths
    ? { nonResourceAttributes: { path: resource, verb } }
    : { resourceAttributes: { verb, group, resource: main, subresource, name, namespace } };
}
