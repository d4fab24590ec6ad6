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

/**
 * API groups of controllers that give rights, write others' objects, or open paths for whoever has an object of theirs, each
 * with the reason. A group stands for those within it.
 */
const closedGroups: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ["authorization.openshift.io", "oauth.openshift.io", "security.openshift.io", "user.openshift.io"].map((group) => [
      group,
      "gives rights",
    ]),
  ),
  "capsule.clastix.io": "makes namespaces and bindings for whoever has it",
  "gatekeeper.sh": "decides about others' requests",
  "kubecamp.dev": "is kubecamp's own",
  "kyverno.io": "decides about others' requests",
  "projectcontour.io": "opens paths, which kubecamp makes itself, from the settings",
  "route.openshift.io": "opens paths, which kubecamp makes itself, from the settings",
  "traefik.io": "opens paths, which kubecamp makes itself, from the settings",
};

/** Why the settings can't allow a custom kind in `objects`; undefined if they can. */
export function customProblem(apiVersion: string, kind: string): string | undefined {
  if (isGivenKind(kind) && givenKinds[kind].apiVersion === apiVersion) {
    return "takes no entry: objects can have it, or a copy of it, already";
  }
  if (!isCustomVersion(apiVersion)) {
    return kindProblem(kind, apiVersion);
  }
  const [group = ""] = apiVersion.split("/");
  const closed = Object.keys(closedGroups).find((each) => group === each || group.endsWith(`.${each}`));
  return closed === undefined ? undefined : closedGroups[closed];
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
      : `is a custom kind that no setting allows: it ${why}`;
  }
  if (clusterScoped.includes(kind)) {
    return "is cluster-scoped, and members get objects in their own namespace only";
  }
  if (own.includes(kind)) {
    return "is a kind that kubecamp makes itself, from the settings";
  }
  if (kind === "Secret") {
    return "in a file is readable for whoever reads the repository; put it into a namespace, and set copy instead";
  }
  if (Object.hasOwn(unfit, kind)) {
    return unfit[kind] ?? "";
  }
  return kind.endsWith("List")
    ? "is a list; put each object into a document of its own, after a line with ---"
    : "is none that kubecamp gives to members";
}
