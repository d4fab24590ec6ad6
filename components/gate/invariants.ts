/**
 * Rules that no configuration and no code may break. The gate checks every resource against them before Pulumi gets it.
 * docs/reference/policy-gate.md has the same table.
 */
export const invariants = {
  "known-kinds":
    "Every object is of a kind that the gate can judge, belongs to a member or the stack, and goes to the stack's cluster. A bucket is in its member's list, and goes to the stack's server.",
  "plain-values":
    "Judged values are known at registration, except a namespace's name. Not judged, since not written: a starter app that belongs to the member, contents of a namespace being deleted, and an admission policy that the run's identity can't write.",
  "own-places":
    "Every object is in its member's namespace, in the ingress controller's under its member's name, or carries the stack's name; its labels name the member and the stack.",
  "pod-security": "A member's namespace enforces the Pod Security Standard of their type, in a pinned version.",
  "no-tokens":
    "Pods that name no ServiceAccount get no token of the API server. The only other ServiceAccount, for CI jobs, mounts none by itself.",
  "own-pods":
    "A member's starter Pods have the starter's image, meet the Pod Security Standard restricted, have no token of the API server, fit in the quota, and have the pool, RuntimeClass and user namespaces of the member's type.",
  "given-objects":
    "In a member's namespace, objects of the kinds of `objects` are kubecamp's own, or given by the settings under that kind and name; their label says whose they are. Given objects meet the Pod Security Standard of the member's type and have allowed images, and Services of type ClusterIP. The fields of an allowed custom kind are not judged.",
  quota:
    "Members of a type with a quota have a ResourceQuota within their limits, devices and StorageClasses, without NodePorts or LoadBalancers. Suspended and expired members have no pods and no new Jobs.",
  isolation: "NetworkPolicies select all pods of a namespace, both ways, and allow what is declared, never everything.",
  "no-wildcards": "No rule of a role has a wildcard, and no role aggregates others.",
  "no-powers":
    "No role escalates, binds, impersonates, or writes anything but what members run: no roles, bindings, quotas, policies or routes. Tokens are requested of the ServiceAccount for CI jobs alone, by members with `token`.",
  "others-unread":
    "In other namespaces, members only read named kinds: no Secrets, no ConfigMaps, no logs, nothing within pods. Staff with `view` or `assist` read no Secrets.",
  "own-roles": "Bindings are to this stack's roles only, never to others such as cluster-admin.",
  "own-subjects":
    "Bindings are for the member and the member's groups, for the member's staff in their role, or for the member's CI jobs, not for Kubernetes' own groups or another ServiceAccount.",
  "guards-first":
    "A binding comes after its member's guard rails: namespace, quota, limits, isolation, the role, and the stack's policies in force. A starter app comes after all of these but the role.",
  "closed-doors": "Suspended and expired members have no bindings and no route. Their staff keep theirs.",
  "policies-in-force":
    "The stack's admission policies are enforced in all of its members' namespaces. A policy that fills in fields does so in these alone.",
  "paths-apart": "No route's path, with its host, is within another member's path or contains one.",
  "login-first":
    "With `route.login`, every route asks the stack's proxy, and lets in only the visitors of the settings. Without it, no route asks a proxy.",
  "own-backend":
    "Routes and Services lead to their own member only, no route answers for all other paths, and a controller gets only what the settings allow.",
} as const;

export type InvariantName = keyof typeof invariants;

/** One breach of an invariant. */
export interface Violation {
  readonly invariant: InvariantName;
  /** Such as `rules[0].verbs`. */
  readonly field: string;
  /** Mistake and reason, such as `'*' is a wildcard`. */
  readonly message: string;
}

export const broken = (invariant: InvariantName, field: string, message: string): Violation => ({
  invariant,
  field,
  message,
});

/** Breaks an invariant unless a condition holds. */
export const mustHold =
  (invariant: InvariantName) =>
  (holds: boolean, field: string, message: string): Violation[] =>
    holds ? [] : [broken(invariant, field, message)];
