import type { LiveGuard, LiveService } from "../../../cluster/read/snapshot.ts";
import { bob, routeAt } from "../samples.ts";
import { liveService, otherService } from "./liveService.ts";

export const theirs = (name: string) => ({
  "app.kubernetes.io/instance": name,
  "app.kubernetes.io/created-by": "operator",
});
export const guard = (labels: Record<string, string>, content: Record<string, unknown> = {}): LiveGuard => ({
  labels,
  annotations: {},
  resourceVersion: "7",
  applied: undefined,
  content,
});
export const service = (type: string, labels: Record<string, string> = {}): LiveService =>
  type === "ClusterIP" ? liveService({ labels }) : otherService(type, { labels });
export const route = (...paths: string[]) => ({
  spec: { rules: [{ host: "camp.example.org", http: { paths: paths.map((path) => ({ path })) } }] },
});

export const ann = {
  ...bob,
  name: "ann",
  username: "oidc:ann",
  route: routeAt("camp.example.org", "/ann"),
  adopt: true,
};
/** What the Members operator made for `ann`, whose Service is fit. */
export const operators = {
  services: new Map([
    ["ann/ann-svc", service("ClusterIP")],
    ["ingress-nginx/ann-svc", service("ExternalName", theirs("ann"))],
    ["ingress-nginx/controller", service("LoadBalancer", { "app.kubernetes.io/instance": "ingress-nginx" })],
  ]),
  ingresses: new Map(),
  clusterRoleBindings: new Map(),
  guards: new Map([
    ["Namespace ann", guard({})],
    ["LimitRange ann/default-limits", guard(theirs("ann"))],
    ["NetworkPolicy ann/members-policy", guard(theirs("ann"))],
    ["Role ann/members-role", guard(theirs("ann"))],
    ["RoleBinding ann/members-binding", guard(theirs("ann"))],
    ["ClusterRoleBinding members-ann", guard(theirs("ann"))],
    ["Ingress ingress-nginx/ann", guard(theirs("ann"), route("/ann"))],
  ]),
};
