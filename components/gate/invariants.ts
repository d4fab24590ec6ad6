/**
 * What no configuration and no code may break, whoever writes it: the gate holds every resource against these before
 * Pulumi hears of it. docs/reference/policy-gate.md has the same table for people.
 */
export const invariants = {
  "known-kinds":
    "Everything is of a kind that the gate can judge, part of a member's environment or of what the stack has once, and goes to the stack's one cluster; a bucket is one that the list gives its member, and goes to the stack's one server.",
  "plain-values":
    "Everything that is judged is known when it is registered, and made so; nothing is judged of a starter app that is the member's by now, of which nothing is written, nor of who has a namespace that is being deleted, which is left as it is. An admission policy that the run's identity can't write may stay as it is. A namespace may follow from another resource, and is judged as soon as it is known.",
  "own-places":
    "Everything lies in its member's namespace, beside the ingress controller under its member's name, or carries the stack's name; and it has the labels that say whose it is.",
  "pod-security": "A member's namespace enforces the Pod Security Standard of their type, in a pinned version.",
  "no-tokens": "Pods that name no ServiceAccount get no token of the API server.",
  "own-pods":
    "Pods that kubecamp makes for a member have the starter's image, hold to the Pod Security Standard restricted, have no token of the API server, and stay within the quota.",
  quota:
    "A ResourceQuota holds whom their type says, within their figures, and without Services that open ports; who is suspended or expired has no pods and no new Jobs.",
  isolation:
    "NetworkPolicies are for all pods of a namespace, both ways, and let through what is declared: never everything.",
  "no-wildcards": "No rule of a role has a wildcard, and no role collects the rules of others.",
  "no-powers":
    "No role escalates, binds or impersonates, and none writes anything but what members run: no roles, bindings, quotas, policies or routes.",
  "others-unread":
    "What members may see of others is named and only looked at: no Secrets, no ConfigMaps, no logs, nothing within pods.",
  "own-roles": "Bindings are to the roles of this stack alone, never to the cluster's own, such as cluster-admin.",
  "own-subjects":
    "Bindings are for the member and the member's groups alone: for nobody of Kubernetes' own, such as system:authenticated, and for no ServiceAccount.",
  "guards-first":
    "A key follows what guards its member: namespace, quota, limits, isolation, the role, and the stack's policies in force. All but the role a starter app follows too.",
  "closed-doors": "Who is suspended or expired has neither keys nor a route.",
  "policies-in-force": "The stack's admission policies refuse what they judge, in the namespaces of its members.",
  "paths-apart":
    "Every path of a route is its member's own, host included, and none is within another member's or has one within it.",
  "own-backend":
    "What a route or a Service leads to is its own member's, nothing is the answer for all other paths, and controllers are told no more than kubecamp's settings take.",
} as const;

export type InvariantName = keyof typeof invariants;

/** One thing that breaks one of them. */
export interface Violation {
  readonly invariant: InvariantName;
  /** Such as `rules[0].verbs`. */
  readonly field: string;
  /** What is wrong and why, such as `'*' is a wildcard`. */
  readonly message: string;
}

export const broken = (invariant: InvariantName, field: string, message: string): Violation => ({
  invariant,
  field,
  message,
});
