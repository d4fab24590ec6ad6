import type { Heading } from "./rules.ts";

/** The comments on the rights of every stack. */
export const comments = {
  file: `
test/e2e/watch/rights checks that they are enough and no more. docs/run/watch-in-cluster.md explains them.

The watch writes by server-side apply. For it, the API server checks \`create\` with the object's name, so rules with
resourceNames are enough, and the watch can make nothing else of that kind.`,
  read: `
Every run lists these kinds, and those of the last rules; the watch watches them. The plugin also lists and watches a kind
while it waits for an object's deletion: without the right, it waits for ever (pulumi-kubernetes#4580).`,
  behind: "For `readiness.requires: endpoints`, and for headless Services.",
  homes: `
Members' namespaces. A rule can't name them, since members come and go; the fence checks their labels. An annotation of theirs
remembers what the watch has told.`,
  guards:
    "Guard rails. They are deleted with the namespace; only the quota of a member who was suspended is deleted by itself.",
  serviceAccounts: `
The ServiceAccount of pods that name none. Kubernetes makes it; the watch sets that pods get no token of it.`,
  pipelines: `: a RoleBinding for them, and for \`token: true\` a
ServiceAccount, with a Role and a RoleBinding for its tokens, in members' namespaces. The fence limits the bindings to single
repositories' jobs and to that ServiceAccount, and the Role to its tokens.`,
  policies: `
An admin's up writes the stack's admission policies and their bindings: no admission policy, and so not the fence, can judge
such a write. The watch only reads them. With the rights \`policies\`, it writes them.`,
  keys: `
Access. The watch needs \`escalate\` and \`bind\`, since the two roles give rights that it does not have: to Secrets, and into
containers. To have these rights in the whole cluster would be worse. The fence refuses misuse of the two verbs.`,
  views: `
The view of others. The watch has all rights that it grants here (the last rules), so it needs no \`escalate\` or \`bind\`, and
can grant no more than it has. The fence refuses to grant its other rights, such as the two verbs above. The ClusterRoles
stay as long as the stack: only an admin's \`pulumi destroy\` deletes them.`,
  pods: "To delete pods of suspended and expired members. The last rules allow to list them.",
  events: `
The watch writes changes of a route as Events in the member's namespace. The plugin shows other Events about an object
while it waits for the object; without the right, it logs errors all the time.`,
  others: "Members' other objects.",
  granted: "The rights that the view of others grants.",
  routes: "Members' routes, beside the ingress controller and nowhere else.",
};

/** The Lease that lets one watch at a time act on the stack. */
export const lease = `# The watch that holds it acts on the stack. It is here, so that the watch needs no right to create it. With the rights to
# pods above, a new watch sees whether the pod that held it is gone.
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

const archived = `: to list what a member has,
and to keep the volumes. A kind that the watch may not list keeps the member: add the resources of your
CustomResourceDefinitions (docs/run/watch-in-cluster.md#archives), and \`secrets\` for \`secrets: true\`.

RBAC can't limit these lists to members' namespaces: whoever has the watch's token can read these kinds IN THE WHOLE CLUSTER,
ConfigMaps among them. fence.yaml lets the watch have volumes and snapshots outlive their claims, and change nothing else of them.`;

/** Further text in the comment of a feature's file. */
export const remarks: Readonly<Record<string, string>> = {
  archive: archived,
  "archive-snapshots": archived,
  "backend-ca": `: the CA of members' Services is in a Secret beside the controller.
The watch never deletes it, and lists it by name only: to wait for a deletion, the plugin would list all Secrets of this
namespace, with the keys of certificates. After you remove the setting, run \`pulumi up\` yourself.`,
  buckets: `: a Secret and a ConfigMap for each in members' namespaces,
with the bucket's name, so that no rule can name them. The fence lets the watch write no other Secrets.

RBAC can't limit a LIST to labels, names or metadata, though the watch asks only for these: whoever has the watch's token can
read EVERY SECRET OF THE CLUSTER. Read docs/run/watch-in-cluster.md before you apply this.`,
  cosi: `: a BucketClaim and a BucketAccess for each in members'
namespaces. The driver writes the Secrets, so the watch needs no right to any.`,
  gateway: ": routes are then in members' namespaces.",
  labs: `: to read their policies, and the
cluster's nodes and classes. With the rights \`policies\`, the watch writes the policies.`,
  managed: ": kubecamp makes `<member>-svc` in members' namespaces.",
  objects: `. The fence lets their pods mount only volumes of their namespace, and no token.

The watch lists only Secrets of these names. The plugin lists all Secrets of a namespace while it waits for the deletion of a copy
(provider/pkg/await/await.go, Deletion): whoever has the watch's token can read EVERY SECRET OF THE CLUSTER.`,
  "object-kinds": ". A LIST can't be limited to members': the watch reads all of these objects in the cluster.",
  policies: ` and their bindings, instead of an admin's \`pulumi up\`.

No admission policy, and so not the fence, can judge such a write: whoever has the watch's token can HAVE EVERY WRITE ON THE
CLUSTER REFUSED, or disable the stack's policies. Read docs/run/watch-in-cluster.md before you apply this.`,
  sleep: `: controllers whose pods were refused for a
night pause for up to a quarter of an hour. An annotation ends the pause. With the right to \`status\` alone, nobody can change
what a workload runs.`,
  staff: `: a Role and a RoleBinding for each role, in members'
namespaces. \`escalate\` and \`bind\` are there as in the common rights, on two further names: the fence limits these Roles to workloads of members.`,
  starter: `: their pages, Deployments and Services in members'
namespaces. The Services need the rights \`managed\` as well.`,
};

const named = `
The watch watches only those of this name. The plugin watches all of a namespace while it waits for a deletion
(provider/pkg/await/await.go, Deletion).`;
const awaited =
  "The plugin lists and watches them while it waits for a deletion (provider/pkg/await/await.go, Deletion).";

/** Comments on some rights of a feature. */
export const optionalHeadings: Readonly<Record<string, readonly Heading[]>> = {
  buckets: [{ comment: awaited }],
  cosi: [{ comment: awaited }],
  gateway: [
    { comment: "" },
    { comment: "To check that the Gateway of the routes exists.", resources: ["gateways"] },
    {
      comment: `The CA of members' Services, one ConfigMap in each member's namespace.${named}`,
      resources: ["configmaps"],
    },
  ],
  policies: [
    { comment: "They stay as long as the stack does." },
    {
      comment: "Parameters of one of them: the API server requires that the writer of a policy can read them.",
      resources: ["priorityclasses"],
    },
  ],
  starter: [{ comment: named, resources: ["configmaps"] }, { comment: "The common rights allow to read them." }],
};
