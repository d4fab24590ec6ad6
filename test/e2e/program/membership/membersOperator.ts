import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { ApiObjects } from "../../support/cluster/apiObjects.ts";
import { installDefinitions } from "../../support/definitions/definitions.ts";
import type { LiveObject } from "../inventory.ts";
import type { TestStack } from "../stack.ts";
import { until } from "../workloads.ts";

/** The Members operator's name, as field manager and in labels. */
const manager = "members-operator";
const group = "crds.yadiary.net";
const rbac = "rbac.authorization.k8s.io";
const controllers = "ingress-nginx";

/** A member in the operator's list. */
interface OperatorsMember {
  readonly member: string;
  readonly type: string;
}

interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly [key: string]: unknown };
  readonly [key: string]: unknown;
}

/** Fills a cluster as the operator does, field for field; besides, it gives namespaces and routes an owner. */
export class MembersOperator {
  readonly #stack: TestStack;

  constructor(stack: TestStack) {
    this.#stack = stack;
  }

  async fill(members: readonly OperatorsMember[]): Promise<void> {
    const { find } = this.#stack.sandbox;
    await installDefinitions(this.#stack.sandbox, crd);
    await this.#apply(namespace("members-system"), clusterRole);
    await this.#apply(copy("members", "members-system", members), copy("routes", controllers, members));
    const [theCrd, routes] = await Promise.all([
      this.#ownerOf("customresourcedefinition", `members.${group}`),
      this.#ownerOf("members", "routes", controllers),
    ]);
    for (const { member, type } of members) {
      await this.#apply(namespace(member, labelsOf(member), theCrd));
      await this.#apply(copy(`kubecamp-${member}`, member, members));
      const owner = await this.#ownerOf("members", `kubecamp-${member}`, member);
      await this.#apply(...objectsOf(member, type, owner, routes));
      await until(async () => (await find("serviceaccount", "default", member)) !== undefined);
    }
  }

  /** Removes the operator: its objects first, then their kind, each until the garbage collector is done. */
  async remove(members: readonly OperatorsMember[]): Promise<void> {
    await this.#kindIsCollected();
    const { find } = this.#stack.sandbox;
    const copies = [["routes", controllers], ...members.map(({ member }) => [`kubecamp-${member}`, member])] as const;
    for (const [name, place] of copies) {
      await this.#apply(control("ConfigMap", place, await this.#ownerOf("members", name, place)));
    }
    const theCrd = await this.#ownerOf("customresourcedefinition", `members.${group}`);
    await this.#apply(control("ClusterRole", undefined, theCrd));
    const gone = (...object: Parameters<ApiObjects["find"]>) =>
      until(async () => (await find(...object)) === undefined);
    await this.#stack.kubectl("delete", "members", "--all", "--all-namespaces");
    for (const [, place] of copies) {
      await gone("configmap", "owned-by-operator", place);
    }
    await this.#stack.delete("customresourcedefinition", `members.${group}`);
    await gone("clusterrole", "owned-by-operator");
  }

  /** Deletes objects that no run of ours deletes. */
  async clear(members: readonly OperatorsMember[]): Promise<void> {
    const bindings = members.map(({ member }) => `clusterrolebinding/members-${member}`);
    const rest = ["clusterrole/members-view", ...bindings, "namespace/members-system"];
    await this.#stack.kubectl("delete", "--ignore-not-found", ...rest);
  }

  /**
   * The garbage collector looks for new kinds every half minute. What it meets of one before then, it tries again after ever
   * longer pauses, of minutes in the end: an operator that has been there for days would have its kind known.
   */
  async #kindIsCollected(): Promise<void> {
    await until(async () => {
      const name = `orphan-${randomUUID()}`;
      const owner = { apiVersion: `${group}/v1`, kind: "Members", name: "nobody", uid: randomUUID() };
      const metadata = { name, namespace: controllers, ownerReferences: [owner] };
      await this.#apply({ apiVersion: "v1", kind: "ConfigMap", metadata });
      for (const deadline = Date.now() + 2000; Date.now() < deadline; await setTimeout(100)) {
        if ((await this.#stack.sandbox.find("configmap", name, controllers)) === undefined) {
          return true;
        }
      }
      // Later, it would go in the middle of another test.
      await this.#stack.sandbox.remove(`/api/v1/namespaces/${controllers}/configmaps/${name}`);
      return false;
    });
  }

  #apply(...objects: readonly KubernetesObject[]): Promise<void> {
    return this.#stack.sandbox.applyAs(manager, ...objects);
  }

  async #ownerOf(...object: Parameters<ApiObjects["get"]>): Promise<object> {
    const { apiVersion, kind, metadata } = await this.#stack.sandbox.get<LiveObject>(...object);
    return { apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true, blockOwnerDeletion: true };
  }
}

/** An object that nobody adopts: once it is gone, the garbage collector has run. */
function control(kind: "ClusterRole" | "ConfigMap", namespace: string | undefined, owner: object): KubernetesObject {
  const place = namespace === undefined ? {} : { namespace };
  const metadata = { name: "owned-by-operator", ...place, ownerReferences: [owner] };
  return { apiVersion: kind === "ConfigMap" ? "v1" : `${rbac}/v1`, kind, metadata };
}

const labelsOf = (member: string) => ({
  "app.kubernetes.io/name": "members",
  "app.kubernetes.io/instance": member,
  "app.kubernetes.io/created-by": manager,
});

function namespace(name: string, labels: object = {}, owner?: object): KubernetesObject {
  const owned = owner === undefined ? {} : { ownerReferences: [owner] };
  return { apiVersion: "v1", kind: "Namespace", metadata: { name, labels, ...owned } };
}

function copy(name: string, namespace: string, members: readonly OperatorsMember[]): KubernetesObject {
  return { apiVersion: `${group}/v1`, kind: "Members", metadata: { name, namespace }, spec: { members } };
}

const clusterRole: KubernetesObject = {
  apiVersion: `${rbac}/v1`,
  kind: "ClusterRole",
  metadata: { name: "members-view" },
  rules: [{ apiGroups: [""], resources: ["pods", "services"], verbs: ["get", "list", "watch"] }],
};

const crd: KubernetesObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `members.${group}` },
  spec: {
    group,
    scope: "Namespaced",
    names: { kind: "Members", listKind: "MembersList", plural: "members", singular: "members" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};

/** The operator's objects for a member, besides the namespace. */
function objectsOf(member: string, type: string, owner: object, routes: object): KubernetesObject[] {
  const metadata = (name: string) => ({
    name,
    namespace: member,
    labels: labelsOf(member),
    ownerReferences: [owner],
  });
  const subjects = [{ kind: "User", name: `oidc:${member}`, apiGroup: rbac }];
  const bound = (kind: string, name: string) => ({ subjects, roleRef: { kind, name, apiGroup: rbac } });
  const route = (name: string) => ({
    name,
    namespace: controllers,
    labels: { ...labelsOf(member), group: controllers },
    ownerReferences: [routes],
  });
  const container = { cpu: "50m", memory: "64Mi" };
  const quota = {
    apiVersion: "v1",
    kind: "ResourceQuota",
    metadata: metadata("quota"),
    spec: { hard: { "requests.cpu": "2", "limits.cpu": "2", "limits.memory": "2Gi", pods: "10" } },
  };
  return [
    {
      apiVersion: "v1",
      kind: "LimitRange",
      metadata: metadata("default-limits"),
      spec: { limits: [{ type: "Container", default: container, defaultRequest: container }] },
    },
    ...(type === "guest-user" ? [quota] : []),
    {
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata: metadata("isolation"),
      spec: { podSelector: {}, policyTypes: ["Ingress"], ingress: [{ from: [{ podSelector: {} }] }] },
    },
    {
      apiVersion: `${rbac}/v1`,
      kind: "Role",
      metadata: metadata("members-role"),
      rules: [{ apiGroups: ["", "apps"], resources: ["*"], verbs: ["*"] }],
    },
    {
      apiVersion: `${rbac}/v1`,
      kind: "RoleBinding",
      metadata: metadata("members-binding"),
      ...bound("Role", "members-role"),
    },
    {
      apiVersion: `${rbac}/v1`,
      kind: "ClusterRoleBinding",
      metadata: { name: `members-${member}`, labels: labelsOf(member) },
      ...bound("ClusterRole", "members-view"),
    },
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: route(`${member}-svc`),
      spec: {
        type: "ExternalName",
        externalName: `${member}-svc.${member}.svc.cluster.local`,
        ports: [{ port: 80, protocol: "TCP" }],
      },
    },
    {
      apiVersion: "networking.k8s.io/v1",
      kind: "Ingress",
      metadata: { ...route(member), annotations: { "nginx.ingress.kubernetes.io/backend-protocol": "HTTPS" } },
      spec: {
        ingressClassName: "nginx",
        tls: [{ hosts: ["camp.test"], secretName: "camp-tls" }],
        rules: [
          {
            host: "camp.test",
            http: {
              paths: [
                {
                  path: `/${member}`,
                  pathType: "Prefix",
                  backend: { service: { name: `${member}-svc`, port: { number: 80 } } },
                },
              ],
            },
          },
        ],
      },
    },
  ];
}
