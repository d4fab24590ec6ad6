import { bob, routeAt } from "../samples.ts";
import { liveObject, serviceOf } from "./liveService.ts";

export const theirs = (name: string) => ({
  "app.kubernetes.io/instance": name,
  "app.kubernetes.io/created-by": "operator",
});
export const managedObject = (labels: Record<string, string>, content: Record<string, unknown> = {}) =>
  liveObject({ labels, content });
export const service = serviceOf;
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
/** The Members operator's objects for `ann`, whose Service is fit. */
export const operators = {
  services: new Map([
    ["ann/ann-svc", service("ClusterIP")],
    ["ingress-nginx/ann-svc", service("ExternalName", theirs("ann"))],
    ["ingress-nginx/controller", service("LoadBalancer", { "app.kubernetes.io/instance": "ingress-nginx" })],
  ]),
  managedObjects: new Map([
    ["Namespace ann", managedObject({})],
    ["LimitRange ann/default-limits", managedObject(theirs("ann"))],
    ["NetworkPolicy ann/members-policy", managedObject(theirs("ann"))],
    ["Role ann/members-role", managedObject(theirs("ann"))],
    ["RoleBinding ann/members-binding", managedObject(theirs("ann"))],
    ["ClusterRoleBinding members-ann", managedObject(theirs("ann"))],
    ["Ingress ingress-nginx/ann", managedObject(theirs("ann"), route("/ann"))],
  ]),
};
