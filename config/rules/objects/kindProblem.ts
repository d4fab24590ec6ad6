import { apiGroup } from "../../model/apiGroup.ts";
import { isCustomVersion } from "../../model/members/customKinds.ts";
import { givenKinds, isGivenKind } from "../../model/members/givenKinds.ts";

/** Kinds of kubecamp's own, by which members would get rights, room or paths beyond what the settings say. */
const own = [
  ...["Endpoints", "EndpointSlice", "Ingress", "LimitRange", "NetworkPolicy", "ResourceQuota"],
  ...["Role", "RoleBinding", "ServiceAccount"],
  ...["BackendTLSPolicy", "Gateway", "HTTPRoute", "IngressRoute", "HTTPProxy", "Middleware", "ServersTransport"],
  ...["BucketAccess", "BucketClaim"],
];

/** Kubernetes' kinds that are in no namespace. */
const clusterScoped = [
  ...["APIService", "CSIDriver", "CertificateSigningRequest", "ClusterRole", "ClusterRoleBinding"],
  ...["CustomResourceDefinition", "DeviceClass", "FlowSchema", "GatewayClass", "IngressClass"],
  ...["MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding", "MutatingWebhookConfiguration"],
  ...["Namespace", "Node", "PersistentVolume", "PriorityClass", "PriorityLevelConfiguration", "RuntimeClass"],
  ...["StorageClass", "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"],
  ...["ValidatingWebhookConfiguration", "VolumeAttachment"],
];

/** Kubernetes' other kinds in namespaces, each with the reason why no member is given one. */
const unfit: Readonly<Record<string, string>> = {
  ControllerRevision: "is created by controllers only",
  Event: "is written by the cluster only",
  HorizontalPodAutoscaler: "scales an object that each run would reset",
  Job: "can't be changed after it is created; give a CronJob or a Deployment",
  Lease: "belongs to its holder",
  PersistentVolumeClaim: "holds data, which would be lost with the entry; let members create their own",
  Pod: "is not created again when its node is lost; give a Deployment",
  PodDisruptionBudget: "could keep nodes from being drained",
  PodTemplate: "creates no pod; give a Deployment",
  ReplicaSet: "is created by Deployments; give a Deployment",
  ReplicationController: "is Kubernetes' former Deployment; give a Deployment",
  ResourceClaim: "takes a device from the members' own; let members create their own",
  ResourceClaimTemplate: "takes devices from the members' own; let members create their own",
};

const opensPaths = "opens paths, which kubecamp itself creates from the settings";
const opensNetwork = "opens the network, which kubecamp itself isolates by the settings";
const decides = "decides about others' requests";
const delegates = "creates namespaces and bindings for whoever has such an object";

/**
 * API groups of controllers that give rights, write others' objects, or open paths or the network for whoever has an object
 * of theirs, each with the reason. A group stands for those within it. No such list is whole: an admin judges the rest.
 */
const closedGroups: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ["authorization.openshift.io", "oauth.openshift.io", "security.openshift.io", "user.openshift.io"].map((group) => [
      group,
      "gives rights",
    ]),
  ),
  "antrea.io": opensNetwork,
  "capsule.clastix.io": delegates,
  "cilium.io": opensNetwork,
  "configuration.konghq.com": opensPaths,
  "gatekeeper.sh": decides,
  "gateway.networking.x-k8s.io": opensPaths,
  "getambassador.io": opensPaths,
  "hnc.x-k8s.io": delegates,
  "k8s.nginx.org": opensPaths,
  "kubecamp.dev": "is kubecamp's own",
  "kyverno.io": decides,
  "networking.istio.io": opensPaths,
  "projectcalico.org": opensNetwork,
  "projectcontour.io": opensPaths,
  "route.openshift.io": opensPaths,
  "security.istio.io": decides,
  "traefik.containo.us": opensPaths,
  "traefik.io": opensPaths,
};

/** Why the settings can't allow a custom kind in `objects`; undefined if they can. */
export function customProblem(apiVersion: string, kind: string): string | undefined {
  if (isGivenKind(kind) && givenKinds[kind].apiVersion === apiVersion) {
    return "needs no entry: objects can have it, or a copy of it, without one";
  }
  if (!isCustomVersion(apiVersion)) {
    return kindProblem(kind, apiVersion);
  }
  const group = apiGroup(apiVersion);
  const closed = Object.keys(closedGroups).find((each) => group === each || group.endsWith(`.${each}`));
  if (closed !== undefined) {
    return closedGroups[closed];
  }
  // Other groups have kinds of the same names, which do the same.
  return own.includes(kind) ? kindProblem(kind, apiVersion) : undefined;
}

/**
 * Why members can't be given objects of a kind.
 * @param apiVersion the manifest's
 */
export function kindProblem(kind: string, apiVersion?: unknown): string {
  if (isCustomVersion(apiVersion) && !own.includes(kind)) {
    const why = customProblem(apiVersion, kind);
    return why === undefined
      ? "is a custom kind that the settings don't allow: its controller may grant rights, run pods or copy secrets for whoever has " +
          `such an object. If it does nothing that its member may not do, set objectKinds: [{ apiVersion: ${apiVersion}, kind: ${kind} }]`
      : `is a custom kind that kubecamp never allows: it ${why}`;
  }
  if (clusterScoped.includes(kind)) {
    return "is cluster-scoped, and members get objects in their own namespace only";
  }
  if (own.includes(kind)) {
    return "is a kind that kubecamp itself creates from the settings";
  }
  if (kind === "Secret") {
    return "in a file can be read by everybody who reads the repository; create it in a namespace, and set copy instead";
  }
  if (Object.hasOwn(unfit, kind)) {
    return unfit[kind] ?? "";
  }
  return kind.endsWith("List")
    ? "is a list; put each object into a document of its own, after a line with ---"
    : "can't be given to members";
}
