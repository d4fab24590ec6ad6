import assert from "node:assert/strict";
import type { ApiReader } from "../../support/cluster/apiClient.ts";
import { groupsOf } from "../../support/cluster/discovery.ts";
import type { Caller } from "../../support/signIn/signedIn.ts";

/** A resource or subresource, such as `pods/exec` of group `""`. */
export interface Resource {
  readonly group: string;
  readonly resource: string;
  readonly isNamespaced: boolean;
}

/** A question to RBAC: a verb on a resource, in a namespace or, without one, in the whole cluster. */
export interface Question {
  readonly resource: Resource;
  readonly verb: string;
  readonly namespace?: string;
}

/** The name in RBAC's own messages: `deployments.apps/scale`. */
export function nameOf({ group, resource }: Pick<Resource, "group" | "resource">): string {
  const [main = "", ...sub] = resource.split("/");
  return [group === "" ? main : `${main}.${group}`, ...sub].join("/");
}

/**
 * Every resource and subresource of the API server. Versions are left out, since RBAC ignores them.
 * @see https://kubernetes.io/docs/concepts/overview/kubernetes-api/#aggregated-discovery
 */
export async function discovered(read: ApiReader): Promise<Resource[]> {
  const found = (await groupsOf(read)).flatMap(({ metadata: { name: group = "" }, versions }) =>
    versions
      .flatMap(({ resources = [] }) => resources)
      .flatMap(({ resource, scope, subresources = [] }) =>
        ["", ...subresources.map(({ subresource }) => `/${subresource}`)].map((part) => ({
          group,
          resource: resource + part,
          isNamespaced: scope === "Namespaced",
        })),
      ),
  );
  return [...new Map(found.map((each) => [nameOf(each), each])).values()];
}

interface Review {
  readonly status?: { readonly allowed: boolean };
}

/**
 * Asks the real authorizer about the caller's own rights.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/authorization/#checking-api-access
 */
async function isAllowed(caller: Caller, spec: object): Promise<boolean> {
  const review = { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectAccessReview", spec };
  const { status, body } = await caller.ask("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", review);
  assert.equal(status, 201, JSON.stringify(body));
  return (body as Review).status?.allowed === true;
}

/** The questions that the authorizer answers with yes. */
export async function allowed(caller: Caller, questions: readonly Question[]): Promise<Question[]> {
  const answers = await Promise.all(
    questions.map(({ resource: { group, resource: path }, verb, namespace }) => {
      const [resource, subresource] = path.split("/");
      return isAllowed(caller, { resourceAttributes: { group, resource, subresource, verb, namespace } });
    }),
  );
  return questions.filter((_, index) => answers[index]);
}

/** The non-resource paths that it permits, such as `/metrics`. */
export async function allowedPaths(caller: Caller, paths: readonly string[], verb: string): Promise<string[]> {
  const answers = await Promise.all(paths.map((path) => isAllowed(caller, { nonResourceAttributes: { path, verb } })));
  return paths.filter((_, index) => answers[index]);
}

/** An RBAC rule in a SelfSubjectRulesReview. */
interface ResourceRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** All rules of the caller in a namespace. They include rules for single names, about which the tests ask no authorizer. */
export async function rulesIn(caller: Caller, namespace: string): Promise<readonly ResourceRule[]> {
  const review = { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectRulesReview", spec: { namespace } };
  const { status, body } = await caller.ask("POST", "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", review);
  assert.equal(status, 201, JSON.stringify(body));
  const { incomplete, resourceRules } = (body as { status: { incomplete: boolean; resourceRules: ResourceRule[] } })
    .status;
  assert.equal(incomplete, false);
  return resourceRules;
}
