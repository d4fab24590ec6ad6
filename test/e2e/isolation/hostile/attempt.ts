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
export type Attempt = readonly [tries: string, ask: Ask, refusal: RegExp, by?: Attacker | undefined];

/** A permitted request that has to succeed: otherwise a guard that refuses everything would pass. */
export type Control = Ask | readonly [ask: Ask, by: Attacker];

/** Attempts against one target. */
export interface Group {
  readonly on: string;
  readonly attempts: readonly Attempt[];
  /** By what they do. */
  readonly controls: Readonly<Record<string, Control>>;
}

/** Requests that all get this refusal, by what they try. */
export const refused = (refusal: RegExp, asks: Readonly<Record<string, Ask>>, by?: Attacker): Attempt[] =>
  Object.entries(asks).map(([tries, ask]) => [tries, ask, refusal, by]);

/** Requests that differ in this alone. */
export const each = <T>(of: Readonly<Record<string, T>>, ask: (value: T) => Ask): Record<string, Ask> =>
  Object.fromEntries(Object.entries(of).map(([tries, value]) => [tries, ask(value)]));

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
  resourceclaims: "resource.k8s.io/v1",
  resourceclaimtemplates: "resource.k8s.io/v1",
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

/** A container's further rights in the kernel. */
export const capable = (...add: readonly string[]) => ({ securityContext: { capabilities: { add } } });

/** A pod template with these extra fields. */
export const template = (spec: object = {}, container: object = {}, metadata: object = {}) => ({
  metadata: { labels, ...metadata },
  spec: podSpec(spec, container),
});

/** A workload with a pod template, such as a Deployment. */
export const workload = (name: string, ...fields: Parameters<typeof template>) =>
  named(name, { spec: { selector: { matchLabels: labels }, template: template(...fields) } });

/** A CronJob whose pods have these extra fields. */
export const cronJob = (name: string, spec: object = {}, ...fields: readonly object[]) => {
  const ofJob = { template: template({ restartPolicy: "Never", ...spec }, ...fields) };
  return named(name, { spec: { schedule: "@yearly", jobTemplate: { spec: ofJob } } });
};

/** The spec of a claim with these extra fields. */
export const claimSpec = (spec: object = {}, storage = "1Mi") => ({
  ...{ accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } },
  ...spec,
});

/** A StatefulSet that makes these claims. */
export const statefulSet = (name: string, ...volumeClaimTemplates: readonly object[]) =>
  named(name, { spec: { selector: { matchLabels: labels }, template: template(), volumeClaimTemplates } });

/** Makes an object at home. */
export const make = (resource: string, body?: object): Ask => create(home(resource), body);
/** Changes an object at home. */
export const change = (resource: string, body: object): Ask => patch(home(resource), body);
/** Runs a pod at home. */
export const run = (...of: Parameters<typeof pod>): Ask => make("pods", pod(...of));
/** Makes a Deployment at home. */
export const deploy = (...of: Parameters<typeof workload>): Ask => make("deployments", workload(...of));
/** Adds containers to a running pod at home. */
export const debug = (running: string, ...containers: readonly object[]): Ask =>
  merge(home(`pods/${running}/ephemeralcontainers`), {
    spec: { ephemeralContainers: containers.map((each, index) => ({ name: `more-${index}`, image, ...each })) },
  });

export const many = <T>(length: number, of: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => of(index));

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
