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
  ControllerRevision: "is made by controllers, for what they control",
  Event: "is the cluster's to write",
  HorizontalPodAutoscaler: "scales what a run would reset each time",
  Job: "can't be changed once it is made; give a CronJob or a Deployment",
  Lease: "belongs to whatever holds it",
  PersistentVolumeClaim: "holds data, which would be lost with the entry; let members make their own",
  Pod: "is not made again when its node goes; give a Deployment",
  PodDisruptionBudget: "could keep nodes from being drained",
  PodTemplate: "makes no pod; give a Deployment",
  ReplicaSet: "is a Deployment's to make; give a Deployment",
  ReplicationController: "is Kubernetes' former Deployment; give a Deployment",
  ResourceClaim: "takes a device from the members' own; let them make their own",
  ResourceClaimTemplate: "takes devices from the members' own; let them make their own",
};

/** Whether an API group is not Kubernetes' own. */
function isCustom(apiVersion: unknown): boolean {
  const [group = "", version] = String(apiVersion).split("/");
  return version !== undefined && group.includes(".") && !/(^|\.)k8s\.io$/.test(group);
}

/**
 * Why members can't be given objects of a kind.
 * @param apiVersion the manifest's
 */
export function kindProblem(kind: string, apiVersion?: unknown): string {
  if (clusterScoped.includes(kind)) {
    return "is cluster-scoped, and members get objects in their own namespace only";
  }
  if (own.includes(kind)) {
    return "is a kind that kubecamp makes itself, from the settings";
  }
  if (kind === "Secret") {
    return "in a file is readable for whoever reads the repository; put it into a namespace, and set copy instead";
  }
  if (isCustom(apiVersion)) {
    return (
      "is a custom kind: its controller may grant rights, run pods or copy secrets for whoever has such an object, which neither the " +
      "policy gate nor admission can judge"
    );
  }
  if (Object.hasOwn(unfit, kind)) {
    return unfit[kind] ?? "";
  }
  return kind.endsWith("List")
    ? "is a list; put each object into a document of its own, after a line with ---"
    : "is none that kubecamp gives to members";
}
