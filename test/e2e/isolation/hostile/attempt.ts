import type { TestSandbox } from "../../support/sandbox.ts";
import type { Answer, Caller } from "../../support/signIn/signedIn.ts";

/** Attackers and their types: a `user`, a `guest-user`, and an `admin`, who has no quota. */
export const attackers = { mallory: "user", gus: "guest-user", ada: "admin" } as const;
export type Attacker = keyof typeof attackers;

/** The attackers' target. */
export const victim = "vic";

/** One or more requests; the answer is the first refusal. */
export type Ask = (caller: Caller, sandbox: TestSandbox) => Promise<Answer>;

/** A description, the request, the refusal's words, and the attacker if it is not mallory. */
export type Attempt = readonly [tries: string, ask: Ask, refusal: RegExp, by?: Attacker];

/** A permitted request that has to succeed: otherwise a guard that refuses everything would pass. */
export type Control = readonly [does: string, ask: Ask, by?: Attacker];

/** Attempts against one target. */
export interface Group {
  readonly on: string;
  readonly attempts: readonly Attempt[];
  readonly controls: readonly Control[];
}

const groups: Readonly<Record<string, string>> = {
  clusterrolebindings: "rbac.authorization.k8s.io/v1",
  clusterroles: "rbac.authorization.k8s.io/v1",
  cronjobs: "batch/v1",
  daemonsets: "apps/v1",
  deployments: "apps/v1",
  endpointslices: "discovery.k8s.io/v1",
  horizontalpodautoscalers: "autoscaling/v2",
  httproutes: "gateway.networking.k8s.io/v1",
  ingresses: "networking.k8s.io/v1",
  ingressroutes: "traefik.io/v1alpha1",
  jobs: "batch/v1",
  leases: "coordination.k8s.io/v1",
  networkpolicies: "networking.k8s.io/v1",
  poddisruptionbudgets: "policy/v1",
  replicasets: "apps/v1",
  rolebindings: "rbac.authorization.k8s.io/v1",
  roles: "rbac.authorization.k8s.io/v1",
  statefulsets: "apps/v1",
};

/** The path of a resource in a namespace, such as `pods/web/log`. */
export function inside(namespace: string, resource: string): string {
  const group = groups[resource.split(/[/?]/)[0] ?? ""];
  return `/${group === undefined ? "api/v1" : `apis/${group}`}/namespaces/${namespace}/${resource}`;
}

/** A path in mallory's namespace. */
export const home = (resource: string): string => inside("mallory", resource);
/** A path in the victim's namespace. */
export const abroad = (resource: string): string => inside(victim, resource);

export const get =
  (path: string): Ask =>
  ({ ask }) =>
    ask("GET", path);
export const create =
  (path: string, body: object = {}): Ask =>
  ({ ask }) =>
    ask("POST", path, body);
export const patch =
  (path: string, body: object): Ask =>
  ({ ask }) =>
    ask("PATCH", path, body, "application/merge-patch+json");
/** A strategic merge patch, which merges lists too. */
export const merge =
  (path: string, body: object): Ask =>
  ({ ask }) =>
    ask("PATCH", path, body, "application/strategic-merge-patch+json");
export const remove =
  (path: string): Ask =>
  ({ ask }) =>
    ask("DELETE", path);

/** An object with a name; the request's path gives its kind. */
export const named = <T extends object>(name: string, rest: T = {} as T) => ({ metadata: { name }, ...rest });

/** Makes an object, and does the next with it. */
export const made =
  (resource: string, object: object, next: Ask): Ask =>
  async (caller, sandbox) => {
    const answer = await create(home(resource), object)(caller, sandbox);
    return answer.status === 201 ? next(caller, sandbox) : answer;
  };

/** Does one thing, then another, whatever came of the first. */
export const afterwards =
  (ask: Ask, cleanUp: Ask): Ask =>
  async (caller, sandbox) => {
    const answer = await ask(caller, sandbox);
    await cleanUp(caller, sandbox);
    return answer;
  };

export const evict = (pod: string, deleteOptions: object = {}): Ask =>
  create(home(`pods/${pod}/eviction`), {
    apiVersion: "policy/v1",
    kind: "Eviction",
    metadata: { name: pod },
    deleteOptions,
  });

/** What one of Kubernetes' controllers would do for a member, whose objects say so. */
export const asController =
  (name: string, method: string, path: string, body: object, contentType = "application/json"): Ask =>
  async (_, sandbox) => {
    const headers = { "content-type": contentType, "impersonate-user": `system:serviceaccount:kube-system:${name}` };
    const { code, body: text } = await sandbox.askPatiently(method, path, { headers, body: JSON.stringify(body) });
    return { status: code, body: JSON.parse(text) };
  };

/** The image that all may have. */
export const image = "nginx:1.27";

/** A spec with one container, each with these extra fields. */
export const podSpec = (spec: object = {}, container: object = {}) => ({
  containers: [{ name: "web", image, ...container }],
  ...spec,
});

export const labels = { app: "mallory" };

/** A pod with these extra fields in its spec or container. */
export const pod = (name: string, spec: object = {}, container: object = {}) => ({
  metadata: { name, labels },
  spec: podSpec(spec, container),
});

/** A workload with a pod template, such as a Deployment. */
export const workload = (name: string, spec: object = {}, container: object = {}) =>
  named(name, { spec: { selector: { matchLabels: labels }, template: template(spec, container) } });

export const template = (spec: object = {}, container: object = {}) => ({
  metadata: { labels },
  spec: podSpec(spec, container),
});

/**
 * A refusal by RBAC.
 * @param resource in kubectl's form, such as `pods/log` or `deployments.apps/scale`
 */
export function rbac(verb: string, resource: string): RegExp {
  const [main = "", ...sub] = resource.split("/");
  const [plural = "", ...group] = main.split(".");
  const people = Object.keys(attackers).join("|");
  return new RegExp(
    `User "oidc:(${people})" cannot ${verb} resource "${[plural, ...sub].join("/")}" in API group "${group.join(".")}"`,
  );
}

/** A refusal by one of the stack's own policies. */
export const policy = (name: string, words: string): RegExp =>
  new RegExp(`ValidatingAdmissionPolicy 'kubecamp-${name}-hostile' .*denied request: .*${words}`);

/**
 * A refusal of more than a policy goes through, by that policy or by `amounts`, whichever the API server names.
 * @param what the items in the words of both
 */
export const tooMany = (name: string, what: string): RegExp => policy(`(?:amounts|${name})`, `has [0-9]+ (?:${what})`);

/** A refusal by Pod Security. */
export const podSecurity = (words: string): RegExp => new RegExp(`violates PodSecurity "baseline:v[0-9.]+": ${words}`);
