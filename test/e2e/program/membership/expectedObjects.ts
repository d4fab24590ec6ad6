import type { Settings } from "../../../../config/model/settings/settings.ts";
import { policiesOf } from "../../../unit/policies.ts";

const stack = {
  "app.kubernetes.io/managed-by": "kubecamp",
  "app.kubernetes.io/part-of": "kubecamp",
  "kubecamp.dev/stack": "life",
};
const labels = { ...stack, "kubecamp.dev/member": "cleo" };
const annotations = {
  "pulumi.com/deletionPropagationPolicy": "background",
  "pulumi.com/patchFieldManager": "kubecamp",
};
const v1 = "v1";
const admission = "admissionregistration.k8s.io";
const rbac = "rbac.authorization.k8s.io";
const read = ["get", "list", "watch"];
const all = ["get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"];
const rule = (apiGroup: string, resources: string[], verbs: string[]) => ({ apiGroups: [apiGroup], resources, verbs });
const subjects = [
  { apiGroup: rbac, kind: "User", name: "oidc:cleo@example.org" },
  { apiGroup: rbac, kind: "Group", name: "oidc:class-a" },
];

/** Taken from their builders: test/e2e/isolation judges the policies by what they refuse. */
const policies = policiesOf({ stack: "life", contact: "your cluster's admin" } as Settings).flatMap(
  ({ name, policy }) => {
    const metadata = { name: `kubecamp-${name}-life`, labels: stack, annotations };
    return [
      { apiVersion: `${admission}/v1`, kind: "ValidatingAdmissionPolicy", metadata, spec: policy.spec },
      {
        apiVersion: `${admission}/v1`,
        kind: "ValidatingAdmissionPolicyBinding",
        metadata,
        spec: {
          policyName: metadata.name,
          ...(name === "pods" ? { paramRef: { selector: {}, parameterNotFoundAction: "Deny" } } : {}),
          validationActions: ["Deny"],
          matchResources: {
            matchPolicy: "Equivalent",
            namespaceSelector: { matchLabels: { "kubecamp.dev/stack": "life" } },
            objectSelector: {},
          },
        },
      },
    ];
  },
);

/**
 * Every object of the stack `life` with the guest `cleo`, whose route is open, as the API server has them. They are
 * written by hand, so that they can judge the builders.
 */
export const expectedObjects = [
  ...policies,
  {
    apiVersion: v1,
    kind: "Namespace",
    metadata: {
      name: "cleo",
      annotations: {
        ...annotations,
        "kubecamp.dev/max-pods": "50",
        "kubecamp.dev/priority-classes": "",
        "pulumi.com/skipAwait": "true",
      },
      labels: {
        ...labels,
        "kubecamp.dev/standing": "active",
        "kubecamp.dev/traits": "edit.view-guest.quota",
        "kubecamp.dev/type": "guest-user",
        "kubernetes.io/metadata.name": "cleo",
        "pod-security.kubernetes.io/enforce": "baseline",
        "pod-security.kubernetes.io/enforce-version": "v1.36",
        "pod-security.kubernetes.io/warn": "restricted",
        "pod-security.kubernetes.io/warn-version": "v1.36",
      },
    },
    spec: { finalizers: ["kubernetes"] },
  },
  {
    apiVersion: v1,
    kind: "LimitRange",
    metadata: { name: "default-limits", namespace: "cleo", labels, annotations },
    spec: {
      limits: [
        {
          type: "Container",
          default: { cpu: "100m", memory: "100Mi", "ephemeral-storage": "1000Mi" },
          defaultRequest: { cpu: "100m", memory: "100Mi", "ephemeral-storage": "0" },
          min: { cpu: "10m", memory: "1Mi" },
        },
        { type: "PersistentVolumeClaim", max: { storage: "1000Mi" } },
      ],
    },
  },
  {
    apiVersion: v1,
    kind: "ResourceQuota",
    metadata: { name: "quota", namespace: "cleo", labels, annotations },
    spec: {
      hard: {
        "count/configmaps": "102",
        "count/controllerrevisions.apps": "1k",
        "count/cronjobs.batch": "20",
        "count/daemonsets.apps": "100",
        "count/deployments.apps": "100",
        "count/horizontalpodautoscalers.autoscaling": "40",
        "count/jobs.batch": "100",
        "count/pods": "1050",
        "count/replicasets.apps": "500",
        "count/secrets": "100",
        "count/services": "40",
        "count/statefulsets.apps": "100",
        "limits.cpu": "500m",
        "limits.ephemeral-storage": "10000Mi",
        "limits.memory": "500Mi",
        persistentvolumeclaims: "5",
        pods: "50",
        "requests.cpu": "500m",
        "requests.memory": "500Mi",
        "requests.storage": "5000Mi",
        "services.loadbalancers": "0",
        "services.nodeports": "0",
      },
    },
  },
  {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name: "isolation", namespace: "cleo", labels, annotations },
    spec: {
      podSelector: {},
      policyTypes: ["Ingress", "Egress"],
      ingress: [
        {
          from: [
            { podSelector: {} },
            { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "ingress-nginx" } } },
          ],
        },
      ],
      egress: [
        { to: [{ podSelector: {} }] },
        {
          ports: [
            { port: 53, protocol: "UDP" },
            { port: 53, protocol: "TCP" },
          ],
          to: [
            {
              namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "kube-system" } },
              podSelector: { matchLabels: { "k8s-app": "kube-dns" } },
            },
          ],
        },
        {
          to: [
            {
              ipBlock: {
                cidr: "0.0.0.0/0",
                except: [
                  "0.0.0.0/8",
                  "10.0.0.0/8",
                  "100.64.0.0/10",
                  "127.0.0.0/8",
                  "168.63.129.16/32",
                  "169.254.0.0/16",
                  "172.16.0.0/12",
                  "192.0.0.0/24",
                  "192.0.2.0/24",
                  "192.168.0.0/16",
                  "198.18.0.0/15",
                  "198.51.100.0/24",
                  "203.0.113.0/24",
                  "224.0.0.0/4",
                  "240.0.0.0/4",
                ],
              },
            },
            {
              ipBlock: {
                cidr: "2000::/3",
                except: ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"],
              },
            },
          ],
        },
      ],
    },
  },
  {
    apiVersion: v1,
    kind: "ServiceAccount",
    metadata: { name: "default", namespace: "cleo", labels, annotations },
    automountServiceAccountToken: false,
  },
  {
    apiVersion: `${rbac}/v1`,
    kind: "Role",
    metadata: { name: "kubecamp-edit", namespace: "cleo", labels, annotations },
    rules: [
      rule("", ["configmaps", "persistentvolumeclaims", "pods", "secrets", "services"], all),
      rule("apps", ["daemonsets", "deployments", "replicasets", "statefulsets"], all),
      rule("autoscaling", ["horizontalpodautoscalers"], all),
      rule("batch", ["cronjobs", "jobs"], all),
      rule("", ["pods/log"], read),
      rule("", ["pods/attach", "pods/exec", "pods/portforward"], ["get", "create"]),
      rule("", ["pods/ephemeralcontainers"], ["get", "patch", "update"]),
      rule("", ["pods/eviction"], ["create"]),
      rule("apps", ["deployments/scale", "replicasets/scale", "statefulsets/scale"], ["get", "patch", "update"]),
      rule("", ["endpoints", "events", "limitranges", "resourcequotas", "serviceaccounts"], read),
      rule("", ["namespaces"], ["get"]),
      rule("apps", ["controllerrevisions"], read),
      rule("discovery.k8s.io", ["endpointslices"], read),
      rule("networking.k8s.io", ["ingresses", "networkpolicies"], read),
      rule("policy", ["poddisruptionbudgets"], read),
      rule(rbac, ["rolebindings", "roles"], read),
    ],
  },
  {
    apiVersion: `${rbac}/v1`,
    kind: "RoleBinding",
    metadata: { name: "kubecamp-edit", namespace: "cleo", labels, annotations },
    roleRef: { apiGroup: rbac, kind: "Role", name: "kubecamp-edit" },
    subjects,
  },
  {
    apiVersion: `${rbac}/v1`,
    kind: "ClusterRole",
    metadata: { name: "kubecamp:life:view", labels: stack, annotations },
    rules: [
      rule("", ["namespaces", "persistentvolumeclaims", "pods", "services"], read),
      rule("apps", ["daemonsets", "deployments", "replicasets", "statefulsets"], read),
      rule("batch", ["cronjobs", "jobs"], read),
      rule("networking.k8s.io", ["ingresses"], read),
    ],
  },
  {
    apiVersion: `${rbac}/v1`,
    kind: "ClusterRole",
    metadata: { name: "kubecamp:life:view-guest", labels: stack, annotations },
    rules: [rule("", ["namespaces", "services"], read), rule("networking.k8s.io", ["ingresses"], read)],
  },
  {
    apiVersion: `${rbac}/v1`,
    kind: "ClusterRoleBinding",
    metadata: { name: "kubecamp:life:cleo:view-guest", labels, annotations },
    roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "kubecamp:life:view-guest" },
    subjects,
  },
  {
    apiVersion: v1,
    kind: "Service",
    metadata: {
      name: "cleo-svc",
      namespace: "ingress-nginx",
      labels,
      annotations: { ...annotations, "pulumi.com/skipAwait": "true" },
    },
    spec: {
      type: "ExternalName",
      externalName: "cleo-svc.cleo.svc.cluster.local.",
      ports: [{ name: "http", port: 80, protocol: "TCP", targetPort: 80 }],
      sessionAffinity: "None",
    },
  },
  {
    apiVersion: "networking.k8s.io/v1",
    kind: "Ingress",
    metadata: {
      name: "cleo",
      namespace: "ingress-nginx",
      labels: {
        ...labels,
        "app.kubernetes.io/created-by": "kubecamp",
        "app.kubernetes.io/name": "member-route",
        group: "ingress-nginx",
      },
      annotations: {
        ...annotations,
        "kubecamp.dev/url": "https://camp.test/cleo/",
        "pulumi.com/skipAwait": "true",
      },
    },
    spec: {
      ingressClassName: "nginx",
      rules: [
        {
          host: "camp.test",
          http: {
            paths: [
              { path: "/cleo", pathType: "Prefix", backend: { service: { name: "cleo-svc", port: { number: 80 } } } },
            ],
          },
        },
      ],
    },
  },
];
