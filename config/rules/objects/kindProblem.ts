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

/** Why members can't be given objects of a kind. */
export function kindProblem(kind: string): string {
  if (clusterScoped.includes(kind)) {
    return "is cluster-scoped, and members get objects in their own namespace only";
  }
  if (own.includes(kind)) {
    return "is a kind that kubecamp makes itself, from the settings";
  }
  if (kind === "Secret") {
    return "in a file is readable for whoever reads the repository; put it into a namespace, and set copy instead";
  }
  return kind.endsWith("List")
    ? "is a list; put each object into a document of its own, after a line with ---"
    : "is none that kubecamp gives to members";
}
