import type { Heading } from "./rules.ts";

/** The comments in deploy/watch/rbac.yaml. */
export const comments = {
  file: `
The rights of \`kubecamp watch\` for stack \`prod\` with an ingress controller in \`ingress-nginx\`. test/e2e/watch/rights.test.ts
holds that they are enough and no more; docs/run/watch-in-cluster.md says what they mean, and which two names to change.

Each write goes by server-side apply, whose \`create\` the API server checks with the object's name: so rules with
resourceNames are enough, and let the watch make nothing else of that kind.`,
  read: `
What every run reads whole, beside what the last rules have, and the watch follows. The plugin, too, lists and watches a kind
while it waits until an object of that kind is gone; without the right it would wait for ever (pulumi-kubernetes#4580).`,
  behind: "For `readiness.requires: endpoints`, and for headless Services.",
  homes: "Members' homes. Their names are the members', which no rule can foresee; fence.yaml goes by their labels.",
  guards:
    "Guard rails. They go with the namespace, so that there is nothing to delete but the quota of somebody who was suspended.",
  serviceAccounts: `
The ServiceAccount of pods that name none. Kubernetes makes it, and the watch has it give out no tokens.`,
  policies: `
The stack's admission policies, and what puts them in force, are for an admin's up to write: no policy judges what is
written to policies, so that the fence can't either. Here they are looked at. optional/policies.yaml has the watch write them.`,
  keys: `
Keys. \`escalate\` and \`bind\`: the two roles hold rights, to Secrets and into containers, that the watch has not itself.
Holding them in the whole cluster would be worse; what they could be misused for, fence.yaml refuses.`,
  views: `
The view of others. Here the watch holds what it grants (the last rules), so that it needs no \`escalate\` or \`bind\` and
can grant nobody more than it has. That it does not grant all it has, such as the two verbs above, is fence.yaml's part.
The ClusterRoles stay as long as the stack does: only an admin's \`pulumi destroy\` deletes them.`,
  pods: "Who is suspended or expired has no running pods. (They are listed with the rights of the last rules.)",
  events: `
What happened to a route is told as an Event in the member's namespace. The plugin shows other Events about an object
while it waits for it, and complains for as long as it runs if it may not see them.`,
  others: "Whatever else members have.",
  granted: "What `kubecamp:prod:view` grants.",
  routes: "Members' routes, beside the ingress controller and nowhere else.",
};

/** The Lease that lets one watch at a time act on the stack. */
export const lease = `# Whoever has it keeps the stack; it is here, so that the watch need not make it. Of the pod that has had it, the watch knows
# by the rights to pods above whether that is gone.
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata:
  name: kubecamp-watch
  namespace: kubecamp-system`;

/** The rights to that Lease. */
export const leaseRights = ["list", "update"].map((verb) => ({
  verb,
  group: "coordination.k8s.io",
  resource: "leases",
  name: "kubecamp-watch",
}));

/** Further text in the comment of a feature's file. */
export const remarks: Readonly<Record<string, string>> = {
  "backend-ca": `: the CA of members' Services is in a Secret beside the controller.
Made and changed, never deleted (and listed by its name alone): the plugin would list all Secrets of this namespace, the keys
of certificates among them, while it waits until one is gone. Whoever takes that setting away runs \`pulumi up\` themselves.`,
  buckets: `: a Secret and a ConfigMap for each in members' namespaces,
called as the settings call the bucket, which no rule can foresee. fence.yaml has the watch write no other Secrets.

RBAC can't give a LIST for labels or names alone, nor for metadata alone, which is all that the watch asks for: whoever has the
watch's token can read EVERY SECRET OF THE CLUSTER. docs/run/watch-in-cluster.md says what to think of before.`,
  cosi: `: what asks it for a bucket and for keys, in members'
namespaces. The driver writes the Secrets, so that the watch needs no right to any.`,
  gateway: ", as routes live in members' namespaces then. The Role in `ingress-nginx` is not needed.",
  labs: `: the policies that hold these, and the
cluster's nodes and classes. optional/policies.yaml has the watch write the policies.`,
  managed: ": kubecamp makes `<member>-svc` in members' namespaces.",
  objects: `. Put the names of the Secrets that you copy in the
place of \`registry\`. fence.yaml has their pods mount nothing but what is at home, and no token.

RBAC can't give a LIST for labels or names alone: whoever has the watch's token can read EVERY SECRET OF THE CLUSTER.`,
  pipelines: `: a RoleBinding for them, and for \`token: true\` a
ServiceAccount, with a Role and a RoleBinding for its tokens, in members' namespaces. fence.yaml holds the bindings to single
repositories' jobs and to that ServiceAccount, and the Role to its tokens.`,
  policies: `, and what puts them in force, as an admin's \`pulumi up\` does otherwise.

Kubernetes has no policy judge what is written to policies, so that fence.yaml can't either: whoever has the watch's token can
HAVE EVERY WRITE ON THE CLUSTER REFUSED, or nothing refused to the stack's members. docs/run/watch-in-cluster.md says what to think
of before.`,
  staff: `: a Role and a RoleBinding for each role, in members'
namespaces. \`escalate\` and \`bind\` are there as in rbac.yaml, on two further names: fence.yaml holds these Roles to what members run.`,
  starter: `: their pages, Deployments and Services in members'
namespaces. The Services need optional/managed.yaml as well.`,
};

const named = `
The watch follows those of this name alone; the plugin all of a namespace, while it waits until one is gone
(provider/pkg/await/await.go, Deletion).`;
const awaited =
  "The plugin lists and watches, too, while it waits until one is gone (provider/pkg/await/await.go, Deletion).";

/** Comments on some rights of a feature. */
export const optionalHeadings: Readonly<Record<string, readonly Heading[]>> = {
  buckets: [{ comment: awaited }],
  cosi: [{ comment: awaited }],
  gateway: [
    { comment: "" },
    { comment: "Whether the Gateway is there that routes are attached to.", resources: ["gateways"] },
    {
      comment: `The CA of members' Services, one ConfigMap in each member's namespace.${named}`,
      resources: ["configmaps"],
    },
  ],
  policies: [
    { comment: "They stay as long as the stack does." },
    {
      comment: "The parameters of one of them, which the API server has whoever writes it be able to read.",
      resources: ["priorityclasses"],
    },
  ],
  starter: [{ comment: named, resources: ["configmaps"] }, { comment: "That they can be looked at, rbac.yaml says." }],
};
