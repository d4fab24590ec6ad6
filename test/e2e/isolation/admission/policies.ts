import assert from "node:assert/strict";
import type {
  V1Deployment,
  V1EndpointSlice,
  V1ValidatingAdmissionPolicy,
  V2HorizontalPodAutoscaler,
} from "@kubernetes/client-node";
import { admissionPolicies, confiningPolicies } from "../../../../config/names/names.ts";
import type { Entry, TestStack } from "../../program/stack.ts";
import { deploy, makeNamespace, until } from "../../program/workloads.ts";
import { many } from "../hostile/attempt.ts";

/** Members of these tests. */
export const policyMembers: readonly Entry[] = [
  { member: "bob", type: "user", priorityClasses: ["low"], maxCPUm: 4000, maxMemoryMiB: 4000 },
  // A namespace from before kubecamp, with objects that members may not have.
  { member: "old", type: "admin", adopt: true },
];

const ask = "; ask platform@example.org";
const networking = "networking.k8s.io/v1";
const gateway = "gateway.networking.k8s.io/v1";
const discovery = "discovery.k8s.io/v1";
const rbac = "rbac.authorization.k8s.io";
const controller = "system:serviceaccount:kube-system:endpointslice-controller";
/** Another one's controller beside Kubernetes' own. */
const sealed = "system:serviceaccount:kube-system:sealed-secrets";
const deployments = "system:serviceaccount:kube-system:deployment-controller";
const autoscaler = "system:serviceaccount:kube-system:horizontal-pod-autoscaler";
const ports = [{ name: "http", port: 80, protocol: "TCP" }];

const object = (apiVersion: string, kind: string, name: string, rest: object, namespace = "bob") => ({
  apiVersion,
  kind,
  metadata: { name, namespace },
  ...rest,
});
const service = (name: string, spec: object, namespace?: string) =>
  object("v1", "Service", name, { spec: { ports, ...spec } }, namespace);
const containers = [{ name: "web", image: "web" }];
const labels = { app: "own" };
const pod = (name: string, spec: object) => object("v1", "Pod", name, { spec: { containers, ...spec } });
const template = { metadata: { labels }, spec: { containers } };
const templated = (spec: object) => ({ template: { ...template, spec: { containers, ...spec } } });
const deployment = (name: string, spec: object, namespace?: string) =>
  object("apps/v1", "Deployment", name, { spec: { selector: { matchLabels: labels }, ...templated(spec) } }, namespace);
const job = (spec: object) => templated({ restartPolicy: "Never", ...spec });
const ingress = (name: string, namespace?: string) =>
  object(networking, "Ingress", name, { spec: { rules: [{ host: "camp.test" }] } }, namespace);
const httpRoute = (name: string) => object(gateway, "HTTPRoute", name, { spec: { hostnames: ["camp.test"] } });
/** With this number of ports. */
const wide = (count: number) => ({
  ports: many(count, (index) => ({ name: `p-${index}`, port: index + 1, protocol: "TCP" })),
});
const crowded = (count: number) => ({
  tolerations: many(count, (index) => ({ key: `k-${index}`, operator: "Exists" })),
});
/** With this number of mounts and values from a Secret, and a quarter as many references and tolerations. */
const laden = (count: number) => {
  const secretKeyRef = { name: "key", key: "key" };
  const container = {
    args: many(count / 4, () => "$(V_0)"),
    env: many(count, (index) => ({ name: `V_${index}`, valueFrom: { secretKeyRef } })),
    volumeMounts: many(count, (index) => ({ name: "data", mountPath: `/data/${index}` })),
  };
  return {
    containers: [{ ...containers[0], ...container }],
    ...crowded(count / 4),
    volumes: [{ name: "data", emptyDir: {} }],
  };
};
const templateOf = (spec: object) => ({ spec: { template: { spec } } });
const probe = (host: string) => ({
  containers: [{ ...containers[0], livenessProbe: { httpGet: { host, port: 80 } } }],
});
const scaled = { apiVersion: "apps/v1", kind: "Deployment" };
const nfs = { volumes: [{ name: "data", nfs: { server: "10.0.0.5", path: "/" } }] };

/** Objects that nobody may make in a member's namespace, each with its refusal. */
const refusedToAll: readonly (readonly [object, string])[] = [
  [
    service("np", { type: "NodePort" }),
    "Service 'np' is of type NodePort, which leads out of the namespace or opens ports of the nodes: make it one of type ClusterIP; ask platform@example.org if it has to be",
  ],
  [service("lb", { type: "LoadBalancer" }), "Service 'lb' is of type LoadBalancer, which leads out"],
  [
    service("en", { type: "ExternalName", externalName: "x.old.svc.cluster.local" }),
    "Service 'en' is of type ExternalName, which leads out",
  ],
  [
    service("ip", { externalIPs: ["10.0.0.9"] }),
    "Service 'ip' takes the address 10.0.0.9 (externalIPs), which may be somebody else's: leave it out",
  ],
  [
    service("xn", { externalName: "vault.old.svc" }),
    "Service 'xn' leads to vault.old.svc (externalName), which may be somebody else's: give it a selector of your own pods",
  ],
  [
    pod("first", { priorityClassName: "urgent" }),
    "Pod 'first' has the PriorityClass 'urgent', with which its pods would push others' off their nodes: namespace 'bob' may name low; ask platform@example.org if it has to be",
  ],
  [
    pod("system", { priorityClassName: "system-node-critical" }),
    "Pod 'system' has the PriorityClass 'system-node-critical'",
  ],
  [
    deployment("first", { priorityClassName: "urgent" }),
    "Deployment 'first' has the PriorityClass 'urgent', with which its pods",
  ],
  [
    object("batch/v1", "CronJob", "first", {
      spec: { schedule: "* * * * *", jobTemplate: { spec: job({ priorityClassName: "urgent" }) } },
    }),
    "CronJob 'first' has the PriorityClass 'urgent'",
  ],
  [
    object("v1", "PodTemplate", "first", templated({ restartPolicy: "Always", priorityClassName: "urgent" })),
    "PodTemplate 'first' has the PriorityClass 'urgent'",
  ],
  [
    pod("bound", { nodeName: "master" }),
    "Pod 'bound' goes to node 'master' past the scheduler and what that minds (nodeName): choose nodes with nodeSelector",
  ],
  [
    object("batch/v1", "Job", "bound", { spec: job({ nodeName: "master" }) }),
    "Job 'bound' goes to node 'master' past the scheduler",
  ],
  [
    pod("brazen", { tolerations: [{ operator: "Exists" }] }),
    "Pod 'brazen' tolerates everything that keeps pods off a node: leave that toleration out",
  ],
  [
    object("apps/v1", "DaemonSet", "everywhere", {
      spec: {
        selector: { matchLabels: labels },
        ...templated({ tolerations: [{ key: "node-role.kubernetes.io/control-plane", operator: "Exists" }] }),
      },
    }),
    "DaemonSet 'everywhere' tolerates 'node-role.kubernetes.io/control-plane', which keeps pods off the control plane's nodes: leave that toleration out",
  ],
  ...(["podAffinity", "podAntiAffinity"] as const).flatMap((affinity) => {
    const others = { topologyKey: "kubernetes.io/os", labelSelector: {} };
    const abroad = (name: string, terms: object) =>
      [
        pod(name, { affinity: { [affinity]: terms } }),
        `Pod '${name}' is to be near to or far from pods of other namespaces, and could keep those off their nodes: leave namespaces and namespaceSelector out of its affinity`,
      ] as const;
    return [
      abroad("alone", { requiredDuringSchedulingIgnoredDuringExecution: [{ ...others, namespaceSelector: {} }] }),
      abroad("near", {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 1, podAffinityTerm: { ...others, namespaces: ["bob", "old"] } },
        ],
      }),
    ];
  }),
  [
    pod("mount", nfs),
    "Pod 'mount' has the volume 'data', which the node would mount in its own name, from wherever it says: use one of configMap, downwardAPI, emptyDir, ephemeral, image, persistentVolumeClaim, projected, secret",
  ],
  [
    object("apps/v1", "StatefulSet", "mount", {
      spec: {
        serviceName: "own",
        selector: { matchLabels: labels },
        ...templated({ volumes: [{ name: "disk", csi: { driver: "nfs.csi.k8s.io" } }] }),
      },
    }),
    "StatefulSet 'mount' has the volume 'disk', which the node would mount",
  ],
];

/** Objects that only the platform and Kubernetes may make, even where a role permits them, each with its refusal. */
const refusedToMembers: readonly (readonly [object, string])[] = [
  [
    ingress("mine"),
    `Ingress 'mine': only the platform makes routes in namespace 'bob', so that nobody takes another's host or path: make the Service 'bob-svc', and your path leads to it${ask} for anything else`,
  ],
  [httpRoute("mine"), "HTTPRoute 'mine': only the platform makes routes in namespace 'bob'"],
  [
    object("v1", "Endpoints", "mine", { subsets: [{ addresses: [{ ip: "10.0.0.9" }], ports: [{ port: 80 }] }] }),
    "Endpoints 'mine': only Kubernetes itself writes where the Services of namespace 'bob' lead, since any address could stand there: give the Service a selector of your own pods",
  ],
  [
    object(discovery, "EndpointSlice", "mine", { addressType: "IPv4", endpoints: [{ addresses: ["10.0.0.9"] }] }),
    "EndpointSlice 'mine': only Kubernetes itself writes where the Services",
  ],
  [
    {
      ...object("v1", "Secret", "mine", { type: "kubernetes.io/service-account-token" }),
      metadata: { name: "mine", namespace: "bob", annotations: { "kubernetes.io/service-account.name": "default" } },
    },
    "Secret 'mine': Kubernetes would fill it with a token that never ends (type kubernetes.io/service-account-token), which only the platform may have: mount a projected serviceAccountToken",
  ],
];

/** Objects that a member may make. */
const passes = [
  service("own", { selector: labels }),
  service("headless", { clusterIP: "None", selector: labels }),
  pod("low", { priorityClassName: "low" }),
  pod("usual", { priorityClassName: "usual" }),
  pod("unnamed", {}),
  deployment("plain", {
    tolerations: [{ key: "spot", operator: "Exists" }],
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: "kubernetes.io/hostname", labelSelector: {}, namespaces: ["bob"] },
        ],
      },
    },
    volumes: [
      { name: "a", emptyDir: {} },
      { name: "b", secret: { secretName: "b" } },
      { name: "c", persistentVolumeClaim: { claimName: "c" } },
      { name: "d", projected: { sources: [{ serviceAccountToken: { path: "token" } }] } },
    ],
  }),
  object("v1", "Secret", "own", { stringData: { key: "x" } }),
];

/** Makes the namespace `old`, with what no policy would take. */
export async function madeBefore(stack: TestStack): Promise<void> {
  await makeNamespace(stack, "old");
  const balanced = service("balanced", { type: "LoadBalancer", selector: labels }, "old");
  await stack.sandbox.apply(
    { ...balanced, metadata: { ...balanced.metadata, finalizers: ["example.org/cloud"] } },
    service("named", { type: "ExternalName", externalName: "db.example.org" }, "old"),
    ingress("before", "old"),
    deployment(
      "heavy",
      { ...nfs, ...probe("10.0.0.5"), priorityClassName: "urgent", tolerations: [{ operator: "Exists" }] },
      "old",
    ),
    service("wide", { ...wide(120), selector: labels }, "old"),
    deployment("laden", laden(408), "old"),
    deployment("crowded", crowded(1200), "old"),
    {
      ...object("v1", "ConfigMap", "labelled", {}),
      metadata: {
        ...{ name: "labelled", namespace: "old", finalizers: ["example.org/cloud"] },
        labels: Object.fromEntries(many(1200, (index) => [`k-${index}`, ""])),
      },
    },
    object(
      "autoscaling/v2",
      "HorizontalPodAutoscaler",
      "far",
      { spec: { scaleTargetRef: { ...scaled, name: "far" }, minReplicas: 1001, maxReplicas: 1200 } },
      "old",
    ),
    object("batch/v1", "Job", "many", { spec: { ...job({}), parallelism: 1200, suspend: true } }, "old"),
    {
      ...object("v1", "ConfigMap", "noted", {}),
      metadata: { name: "noted", namespace: "old", annotations: { note: "x".repeat(50_000) } },
    },
  );
}

/** What admission takes of whom, in a stack whose first up came after `beforePolicies`. */
export function policies(stack: TestStack): void {
  describe("admission policies", () => {
    /** Asks what would come of a request, as this user. @returns the error, if there is one */
    const refusalOf = async (method: string, path: string, body: object, as?: string, type = "application/json") => {
      const headers = { "content-type": type, ...(as === undefined ? {} : { "impersonate-user": as }) };
      const query = "dryRun=All&fieldManager=kubectl&fieldValidation=Strict";
      const answer = await stack.sandbox.askPatiently(method, `${path}?${query}`, {
        headers,
        body: JSON.stringify(body),
      });
      if (answer.code < 300) {
        return [];
      }
      const { reason, message } = JSON.parse(answer.body) as { reason: string; message: string };
      return [`${reason}: ${message}`];
    };
    /** The API server's refusals of these objects, in their order, for this user. */
    const against = async (items: readonly object[], as?: string) => {
      const errors: string[] = [];
      for (const item of items) {
        errors.push(...(await refusalOf("POST", await stack.sandbox.placeOf(item), item, as)));
      }
      return errors;
    };
    /** The policy's refusal in an error. */
    const refusalIn = (error: string) => {
      const [, policy, binding, message] =
        /^Forbidden: .*ValidatingAdmissionPolicy '(\S+)' with binding '(\S+)' denied request: (.*)$/.exec(error) ?? [];
      assert.ok(policy !== undefined && policy === binding, error);
      return message ?? "";
    };
    /** Makes objects as this user, who gets each one's refusal. */
    const refused = async (cases: readonly (readonly [object, string])[], as?: string) => {
      const made = cases.map(([object]) => object);
      const messages = (await against(made, as)).map(refusalIn);
      const begun = messages.map((message, index) => message.slice(0, cases[index]?.[1].length));
      assert.deepEqual(
        begun,
        cases.map(([, message]) => message),
      );
      assert.ok(messages.every((message) => message.includes(ask)));
    };
    /** Patches an object of `old` as its member, or its status as an admin, and returns the error. */
    const changed = async (what: string, patch: object, subresource = "") => {
      const [kind = "", name = ""] = what.split(" ");
      const path = `${await stack.sandbox.pathTo(kind, name, "old")}${subresource}`;
      const as = subresource === "" ? "oidc:old" : undefined;
      return await refusalOf("PATCH", path, patch, as, "application/merge-patch+json");
    };

    before(async () => {
      const usual = { apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", value: 1, globalDefault: true };
      await stack.sandbox.apply({ ...usual, metadata: { name: "usual" } });
      // Stands for a Deployment that its autoscaler scaled before there was a policy.
      await stack.sandbox.apply(deployment("far", {}, "old"));
      // More rights than kubecamp grants, as another admin might grant by mistake.
      const routing = ["ingresses", "httproutes", "endpoints", "endpointslices", "services"];
      const apiGroups = ["", "networking.k8s.io", "gateway.networking.k8s.io", "discovery.k8s.io"];
      const rules = [{ apiGroups, resources: [...routing, "podtemplates", "secrets"], verbs: ["*"] }];
      for (const namespace of ["bob", "old"]) {
        const subjects = ["bob", "old"].map((name) => ({ kind: "User", name: `oidc:${name}`, apiGroup: rbac }));
        subjects.push(...[controller, sealed].map((name) => ({ kind: "User", name, apiGroup: rbac })));
        await stack.sandbox.apply(
          object(`${rbac}/v1`, "Role", "slip", { rules }, namespace),
          object(
            `${rbac}/v1`,
            "RoleBinding",
            "slip",
            { roleRef: { apiGroup: rbac, kind: "Role", name: "slip" }, subjects },
            namespace,
          ),
        );
      }
      // A policy takes effect in the API server only after a moment.
      for (const made of [service("np", { type: "NodePort" }), pod("bound", { nodeName: "x" }), ingress("mine")]) {
        await until(async () => /denied request/.test((await against([made], "oidc:bob")).join()));
      }
    });
    after(() => stack.delete("priorityclass", "usual"));

    it("has policies whose types the API server checks without a warning", async () => {
      const policies = await stack.sandbox.list<V1ValidatingAdmissionPolicy>("validatingadmissionpolicy", {
        labelSelector: "kubecamp.dev/stack=admission",
      });
      assert.deepEqual(
        policies.map(({ metadata, status }) => [metadata?.name, status?.typeChecking]),
        [...admissionPolicies, ...confiningPolicies].sort().map((policy) => [`kubecamp-${policy}-admission`, {}]),
      );
    });

    it("refuses Services that lead elsewhere, and pods that could harm others', with the reason", async () => {
      await refused(refusedToAll, "oidc:bob");
    });

    it("refuses Services that lead elsewhere to the platform too", async () => {
      await refused(refusedToAll.slice(0, 5));
    });

    it("refuses routes and addresses of Services to members and controllers whom RBAC lets", async () => {
      await refused(refusedToMembers, "oidc:bob");
      const [[route] = []] = refusedToMembers;
      assert.match((await against([route ?? {}], controller)).join(), /only the platform makes routes/);
    });

    it("lets a member make Services, pods and Secrets of their own", async () => {
      assert.deepEqual(await against(passes, "oidc:bob"), []);
    });

    it("lets the platform make routes, and Kubernetes' controllers what is behind Services", async () => {
      const all = refusedToMembers.map(([made]) => made);
      assert.deepEqual(await against(all), []);
      assert.deepEqual(await against(all.slice(2, 4), controller), []);
    });

    it("lets no other controller do for a member what only the platform may", async () => {
      const numbered = service("numbered", { clusterIP: "10.0.0.77", selector: labels });
      const refusal = "Service 'numbered' asks for the cluster address 10.0.0.77, which may have been somebody else's";
      await refused([...refusedToMembers.slice(2), [numbered, refusal]], sealed);
      assert.deepEqual(await against([numbered]), []);
    });

    it("lets controllers make a Deployment's pods and where its Service leads", async () => {
      await deploy(stack, "bob", 1);
      await stack.sandbox.apply(service("bob-svc", { selector: { app: "web" } }));
      const ofService = { namespace: "bob", labelSelector: "kubernetes.io/service-name=bob-svc" };
      await until(async () =>
        (await stack.sandbox.list<V1EndpointSlice>("endpointslice", ofService)).some(
          // Before there is any, it is null.
          ({ endpoints }) => endpoints?.some(({ addresses }) => addresses.length > 0),
        ),
      );
    });

    it("lets a controller hand on what was judged, and an autoscaler ask for no more pods", async () => {
      const owner = {
        apiVersion: "apps/v1",
        kind: "Deployment",
        name: "web",
        uid: "6f1d0c4e-0000-4000-8000-000000000000",
      };
      const replicas = object("apps/v1", "ReplicaSet", "surge", {
        spec: { replicas: 75, selector: { matchLabels: labels }, ...templated({}) },
      });
      const owned = {
        ...replicas,
        metadata: { ...replicas.metadata, ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }] },
      };
      assert.deepEqual(await against([owned], deployments), []);
      const [more = "", ...others] = await against([owned], "oidc:bob");
      assert.match(refusalIn(more), /^ReplicaSet 'surge' (asks for 75 pods|would keep its owner)/);
      assert.deepEqual(others, []);
      const place = "/apis/apps/v1/namespaces/bob/deployments/web/scale";
      const scaled = async (count: number) => {
        const scale = object("autoscaling/v1", "Scale", "web", { spec: { replicas: count } });
        return (await refusalOf("PUT", place, scale, autoscaler)).join();
      };
      assert.match(
        await scaled(51),
        /Scale 'web' asks for 51 pods at once \(replicas\), and namespace 'bob' may have 50/,
      );
      assert.equal(await scaled(50), "");
    });

    it("lets objects from before the policies stay and end, and become no more", async () => {
      const marked = { metadata: { labels: { seen: "yes" } } };
      const more = [...ports, { name: "more", port: 81, protocol: "TCP" }];
      const inside = { type: "ClusterIP", externalName: null, selector: labels };
      for (const [what, patch] of [
        ...["service balanced", "service named", "ingress before", "job many"].map((what) => [what, marked] as const),
        ...["heavy", "laden", "crowded"].map((name) => [`deployment ${name}`, marked] as const),
        ["service wide", { spec: { ...wide(119) } }],
        ["deployment laden", templateOf(laden(404))],
        ["job many", { spec: { parallelism: 1199 } }],
        ["configmap noted", { data: { key: "value" } }],
        ["configmap noted", { metadata: { annotations: { note: "x".repeat(49_000) } } }],
        ["deployment heavy", { spec: { replicas: 0 } }],
        ["deployment crowded", { spec: { replicas: 0 } }],
        ["configmap labelled", { metadata: { finalizers: null } }],
        ["service balanced", { spec: { type: "ClusterIP" } }],
        ["service named", { spec: inside }],
      ] as const) {
        assert.deepEqual(await changed(what, patch), [], what);
      }
      const status = { status: { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } } };
      assert.deepEqual(await changed("service balanced", status, "/status"), []);
      for (const [what, patch, message] of [
        [
          "service balanced",
          { spec: { ports: more } },
          "Service 'balanced' is of type LoadBalancer, from before such were refused, and can have no other port: make it one of type ClusterIP",
        ],
        [
          "service named",
          { spec: { externalName: "vault.bob.svc" } },
          "Service 'named' leads to vault.bob.svc (externalName)",
        ],
        ["service named", { spec: { type: "NodePort", externalName: null } }, "Service 'named' is of type NodePort"],
        [
          "service named",
          { spec: { ...inside, clusterIP: "10.0.0.78" } },
          "Service 'named' asks for the cluster address 10.0.0.78, which may have been somebody else's a moment ago",
        ],
        ["service balanced", { spec: { externalIPs: ["10.0.0.9"] } }, "Service 'balanced' takes the address 10.0.0.9"],
        ["ingress before", { spec: { rules: [{ host: "other.test" }] } }, "Ingress 'before': only the platform"],
        ["ingress before", { metadata: { annotations: { "x/rewrite": "/" } } }, "Ingress 'before': only the platform"],
        [
          "deployment heavy",
          { spec: { template: { spec: { priorityClassName: "system-node-critical" } } } },
          "Deployment 'heavy' has the PriorityClass",
        ],
        [
          "deployment heavy",
          { spec: { template: { spec: { nodeName: "master" } } } },
          "Deployment 'heavy' goes to node 'master'",
        ],
        [
          "deployment heavy",
          { spec: { template: { spec: probe("10.0.0.6") } } },
          "Deployment 'heavy' has the node ask the host '10.0.0.6' in a probe or a lifecycle hook, which no network policy holds: leave host out, so that it asks the pod",
        ],
        [
          "service wide",
          { spec: wide(121) },
          "Service 'wide' has 121 ports, each of which every node has to have: leave it at 20, and make another Service for more",
        ],
        [
          "deployment laden",
          templateOf(laden(412)),
          "Deployment 'laden' has 4120 settings of its containers, with what comes from elsewhere (envFrom, valueFrom, imagePullSecrets) counted 10 times,",
        ],
        // Two policies refuse it, and the API server answers with either.
        ["deployment crowded", templateOf(crowded(1199)), "Deployment 'crowded' has 1"],
        ["configmap labelled", { metadata: { labels: { more: "" } } }, "ConfigMap 'labelled' has 1201 labels"],
        [
          "job many",
          { spec: { parallelism: 1201 } },
          "Job 'many' asks for 1201 pods at once (parallelism), and namespace 'old' may have 1000: ask for no more than that",
        ],
        ["configmap noted", { metadata: { annotations: { more: "x" } } }, "ConfigMap 'noted' has "],
      ] as const) {
        const said = (await changed(what, patch)).map(refusalIn).join();
        assert.ok(said.startsWith(message), said);
      }
    });

    it("refuses the step of an autoscaler from before, and lets a member lower its maximum", async () => {
      const able = async () => {
        const far = await stack.sandbox.get<V2HorizontalPodAutoscaler>("horizontalpodautoscaler", "far", "old");
        return far.status?.conditions?.find(({ type }) => type === "AbleToScale")?.message ?? "";
      };
      await until(async () =>
        /Scale 'far' asks for 1001 pods at once \(replicas\), and namespace 'old' may have 1000/.test(await able()),
      );
      assert.equal((await stack.sandbox.get<V1Deployment>("deployment", "far", "old")).spec?.replicas, 1);
      assert.deepEqual(
        await changed("horizontalpodautoscaler far", { spec: { minReplicas: 2, maxReplicas: 1100 } }),
        [],
      );
    });

    it("lets objects from before the policies be deleted, after what their controllers have to do", async () => {
      const remove = async (kind: string, name: string) => {
        const headers = { "impersonate-user": "oidc:old" };
        const path = await stack.sandbox.pathTo(kind, name, "old");
        const { code, body } = await stack.sandbox.askPatiently("DELETE", path, { headers });
        assert.equal(code, 200, body);
      };
      await remove("service", "balanced");
      await stack.sandbox.patch("service", "balanced", "old", { metadata: { finalizers: null } });
      await remove("ingress", "before");
      await remove("deployment", "crowded");
      await remove("configmap", "labelled");
      await stack.sandbox.patch("configmap", "labelled", "old", { metadata: { finalizers: null } });
      await until(async () => (await stack.sandbox.names("service", { namespace: "old" })).join() === "named,wide");
    });
  });
}
