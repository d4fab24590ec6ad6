import { isDeepStrictEqual } from "node:util";
import type {
  V1Container,
  V1Deployment,
  V1NetworkPolicy,
  V1NetworkPolicyPeer,
  V1NetworkPolicyPort,
  V1PodSpec,
  V1ResourceQuota,
} from "@kubernetes/client-node";
import { quantityValue } from "../../../../cluster/kinds/quantity.ts";
import { hasQuota, type Member, mayRun } from "../../../../config/member/member.ts";
import { isCustomKind } from "../../../../config/names/customKinds.ts";
import { fillsInLabel, memberLabels, objectLabel, stackLabel, stackLabels } from "../../../../config/names/labels.ts";
import { homeNames, namespaceName, serviceName } from "../../../../config/names/names.ts";
import type { NetworkException } from "../../../../config/network.ts";
import { isGivenKind } from "../../../../config/objects/givenKinds.ts";
import type { Settings } from "../../../../config/settings.ts";
import { blockOf } from "../../../../config/values/addresses.ts";
import { type Check, find, type Judged, unless } from "./judged.ts";

const besideController = ["Ingress", "Middleware", "Secret", "ServersTransport", "Service"];

/** The namespace that has a kind's objects of members; undefined if only their own has. */
function besideOf(kind: string, { route }: Settings): string | undefined {
  return besideController.includes(kind) ? route.namespace : { ListenerSet: route.gateway?.namespace }[kind];
}

/** No two objects have one place, so that nobody's replaces another's. */
export const ownPlaces: Check = (object, { settings, objects }) => {
  const { kind, name, namespace, labels, member } = object;
  const isHere =
    namespace === undefined
      ? member?.name === name || name.split(/[-:]/).includes(settings.stack)
      : (member !== undefined && namespace === namespaceName(member)) ||
        (namespace === besideOf(kind, settings) && isNamedAfter(name, member, settings));
  const whose = member === undefined ? stackLabels(settings) : memberLabels(member, settings);
  const isShared = objects.some(
    (other) => other !== object && other.kind === kind && other.name === name && other.namespace === namespace,
  );
  return [
    ...unless(isHere, "metadata", { namespace, name }),
    ...unless(!isShared, "another object has this place", { namespace, name }),
    ...Object.entries(whose).flatMap(([key, value]) => unless(labels[key] === value, `labels of ${key}`, labels[key])),
    // Argo CD takes an object with this label for one of the Application of that name, and prunes it.
    ...unless(labels[instance] === undefined, `labels of ${instance}`, labels[instance]),
  ];
};

const instance = "app.kubernetes.io/instance";

const isNamedAfter = (name: string, member: Member | undefined, { stack }: Settings) =>
  member === undefined
    ? name.endsWith(`-${stack}`)
    : // Traefik has further Middlewares, such as 401-ann.
      [member.name, serviceName(member)].includes(name.replace(/^4\d\d-/, ""));

const enforce = "pod-security.kubernetes.io/enforce";

/** @see https://kubernetes.io/docs/concepts/security/pod-security-admission/#pod-security-admission-labels-for-namespaces */
export const podSecurity: Check = ({ kind, labels, member }) =>
  kind === "Namespace"
    ? [
        ...unless(labels[enforce] === member?.type.podSecurity, enforce, labels[enforce] ?? "none"),
        ...unless(["baseline", "restricted"].includes(labels[enforce] ?? ""), enforce, labels[enforce] ?? "none"),
        ...unless(/^v1\.\d+$/.test(labels[`${enforce}-version`] ?? ""), `${enforce}-version`),
      ]
    : [];

/** Whether kubecamp makes it at home itself: for a route, a bucket or a starter app. */
const isOwn = ({ kind, name }: Judged, member: Member) =>
  (kind === "Service" && name === serviceName(member)) ||
  homeNames.some((each) => each.kind === kind && each.name === name) ||
  (["ConfigMap", "Secret"].includes(kind) && (member.buckets ?? []).some((bucket) => bucket.name === name));

const givenOf = ({ kind, name, namespace, member }: Judged) =>
  member === undefined || namespace !== namespaceName(member)
    ? undefined
    : member.objects?.find((object) => object.kind === kind && object.name === name);

export const givenObjects: Check = (object) => {
  const { kind, namespace, member, labels } = object;
  const given = givenOf(object);
  const label = given && (given.isTheirs ? "theirs" : "true");
  const isJudged =
    member !== undefined && namespace === namespaceName(member) && (isGivenKind(kind) || isCustomKind(kind));
  return [
    ...unless(labels[objectLabel] === label, objectLabel, labels[objectLabel] ?? "none"),
    ...unless(!isJudged || given !== undefined || isOwn(object, member), `no setting gives this ${kind}`),
  ];
};

const mebibyte = 1024 ** 2;

/** The most that a member's quota may have, in CPUs, bytes or pieces. */
function mostOf({ type, limits, ...member }: Member): Readonly<Record<string, number>> {
  const { devices = {}, storage = {} } = type;
  const claims = limits.persistentVolumeClaims;
  const byType = {
    "limits.cpu": limits.maxCpuMillicores / 1000,
    "requests.cpu": limits.maxCpuMillicores / 1000,
    "limits.ephemeral-storage": limits.maxEphemeralStorageMiB * mebibyte,
    "limits.memory": limits.maxMemoryMiB * mebibyte,
    "requests.memory": limits.maxMemoryMiB * mebibyte,
    persistentvolumeclaims: claims,
    pods: limits.pods,
    "requests.storage": claims * limits.maxPersistentVolumeClaimMiB * mebibyte,
    "services.loadbalancers": 0,
    "services.nodeports": 0,
    ...Object.fromEntries([
      ...Object.entries(devices).map(([name, number]) => [
        name.includes("/") ? `requests.${name}` : `${name}.deviceclass.resource.k8s.io/devices`,
        number,
      ]),
      ...Object.entries(storage).map(([name, size]) => [
        `${name}.storageclass.storage.k8s.io/requests.storage`,
        size * mebibyte,
      ]),
    ]),
  };
  return { ...(type.quota ? byType : {}), ...(mayRun(member) ? {} : { pods: 0, "count/jobs.batch": 0 }) };
}

const isAtMost = (value: string | undefined, most: number) =>
  (value === undefined ? Number.NaN : (quantityValue(value) ?? Number.NaN)) <= most * (1 + Number.EPSILON);

/** @see https://kubernetes.io/docs/concepts/policy/resource-quotas/ */
export const quota: Check = ({ kind, args, member }, stack) => {
  if (member === undefined) {
    return [];
  }
  if (kind === "Namespace") {
    return unless(!hasQuota(member) || find(stack, "ResourceQuota", member) !== undefined, "there is none");
  }
  const { hard = {}, ...scopes } = kind === "ResourceQuota" ? ((args as V1ResourceQuota).spec ?? {}) : {};
  const most = kind === "ResourceQuota" ? mostOf(member) : {};
  return [
    ...Object.entries(most).flatMap(([key, figure]) => unless(isAtMost(hard[key], figure), key, hard[key] ?? "none")),
    ...unless(Object.keys(scopes).length === 0, "spec", scopes),
  ];
};

/** Blocks outside the internet, which a rule for all public addresses must exclude. */
const privateBlocks = [
  ...["10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "168.63.129.16/32", "169.254.0.0/16", "172.16.0.0/12"],
  ...["192.0.0.0/24", "192.168.0.0/16"],
];
/** IPv6 blocks that embed IPv4 addresses. */
const tunnels = ["2001::/23", "2002::/16"];

interface Opening {
  readonly isPeer: (peer: V1NetworkPolicyPeer) => boolean;
  /** Default: all. */
  readonly ports?: readonly unknown[];
}

const ownNamespace: Opening = {
  isPeer: ({ podSelector, ...others }) => podSelector !== undefined && Object.keys(others).length === 0,
};
const opening = (peer: object, ports: readonly unknown[] = []): Opening => ({
  isPeer: (other) => isDeepStrictEqual(other, peer),
  ...(ports.length > 0 ? { ports } : {}),
});
const podsOf = (namespace: string, podLabels: Readonly<Record<string, string>>) => ({
  namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
  ...(Object.keys(podLabels).length > 0 ? { podSelector: { matchLabels: podLabels } } : {}),
});
const declared = ({ peer, ports }: NetworkException) =>
  opening("cidr" in peer ? { ipBlock: { cidr: peer.cidr } } : podsOf(peer.namespace, peer.podLabels), ports);
const publicAddresses = (cidr: string, without: readonly string[]): Opening => ({
  isPeer: ({ ipBlock, ...others }) =>
    Object.keys(others).length === 0 &&
    ipBlock?.cidr === cidr &&
    without.every((block) => ipBlock.except?.includes(block)),
});

function openingsOf({ network }: Member, { route, network: all }: Settings) {
  const dns = ["UDP", "TCP"].map((protocol) => ({ port: 53, protocol }));
  return {
    ingress: [ownNamespace, opening(podsOf(route.namespace, all.ingressPodLabels)), ...network.ingress.map(declared)],
    egress: [
      ownNamespace,
      opening(podsOf(all.dnsNamespace, all.dnsPodLabels), dns),
      ...all.nodeLocalDns.map((address) => opening({ ipBlock: { cidr: blockOf(address) } }, dns)),
      ...(network.internet ? [publicAddresses("0.0.0.0/0", privateBlocks), publicAddresses("2000::/3", tunnels)] : []),
      ...network.egress.map(declared),
    ],
  };
}

/**
 * Policies add up, so each allows what is declared at most; one for all pods denies the rest.
 * @see https://kubernetes.io/docs/concepts/services-networking/network-policies/#the-two-sorts-of-pod-isolation
 */
export const isolation: Check = ({ kind, args, member }, stack) => {
  if (member === undefined || !["Namespace", "NetworkPolicy"].includes(kind)) {
    return [];
  }
  if (kind === "Namespace") {
    return unless(find(stack, "NetworkPolicy", member) !== undefined, "there is none");
  }
  const { podSelector, policyTypes, ingress = [], egress = [] } = (args as V1NetworkPolicy).spec ?? {};
  const openings = openingsOf(member, stack.settings);
  return [
    ...unless(isDeepStrictEqual(podSelector, {}), "spec.podSelector", podSelector ?? "none"),
    ...unless(isDeepStrictEqual(policyTypes, ["Ingress", "Egress"]), "spec.policyTypes", policyTypes ?? "none"),
    ...ingress.flatMap(({ _from: _, ...rule }) => wider(Reflect.get(rule, "from"), rule.ports, openings.ingress)),
    ...egress.flatMap(({ to, ports }) => wider(to, ports, openings.egress)),
  ];
};

/** Peers that none of the openings allows; no peer stands for all. */
function wider(
  peers: readonly V1NetworkPolicyPeer[] = [],
  ports: readonly V1NetworkPolicyPort[] = [],
  openings: readonly Opening[],
): string[] {
  const isWithin = ({ ports: allowed }: Opening) =>
    allowed === undefined ||
    (ports.length > 0 && ports.every((port) => allowed.some((other) => isDeepStrictEqual(port, other))));
  return [
    ...unless(peers.length > 0, "a rule without peers is open to all"),
    ...peers.flatMap((peer) =>
      unless(
        openings.some((each) => each.isPeer(peer) && isWithin(each)),
        "peer",
        { peer, ports },
      ),
    ),
  ];
}

/** Fields of a starter's pod; any other could be a way out of it. */
const podFields = [
  ...["automountServiceAccountToken", "containers", "hostUsers", "nodeSelector", "runtimeClassName"],
  ...["securityContext", "tolerations", "volumes"],
];

/** @see https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted */
export const ownPods: Check = (object, { settings: { starter } }) => {
  const { kind, member, args } = object;
  if (kind !== "Deployment" || member === undefined || givenOf(object) !== undefined) {
    return [];
  }
  const { replicas = 1, template } = (args as V1Deployment).spec ?? {};
  const pod: V1PodSpec = template?.spec ?? { containers: [] };
  const { containers, securityContext, volumes = [] } = pod;
  const { runtimeClasses, pool, userNamespaces } = member.type;
  const runtimes: readonly unknown[] = runtimeClasses?.allowed.length ? runtimeClasses.allowed : [undefined];
  const isWithin = (key: "cpu" | "memory", most: number) =>
    !member.type.quota ||
    containers.every(({ resources }) => isAtMost(resources?.limits?.[key], most / replicas / containers.length));
  return [
    ...Object.keys(pod).flatMap((key) => unless(podFields.includes(key), key)),
    ...unless(pod.automountServiceAccountToken === false, "automountServiceAccountToken"),
    ...unless(runtimes.includes(pod.runtimeClassName), "runtimeClassName", pod.runtimeClassName ?? "none"),
    ...unless(
      isDeepStrictEqual([pod.nodeSelector, pod.tolerations], [pool?.nodeSelector, pool?.tolerations]),
      "nodeSelector",
    ),
    ...unless(pod.hostUsers === (userNamespaces && false), "hostUsers"),
    ...unless(
      securityContext?.runAsNonRoot === true && securityContext.seccompProfile?.type === "RuntimeDefault",
      "securityContext",
    ),
    ...volumes.flatMap((volume) =>
      unless(
        Object.keys(volume).every((key) => ["name", "configMap", "emptyDir"].includes(key)),
        "volume",
        volume,
      ),
    ),
    ...containers.flatMap((container) => unless(isConfined(container, starter.image), "container", container)),
    ...unless(isWithin("cpu", member.limits.maxCpuMillicores / 1000), "limits.cpu"),
    ...unless(isWithin("memory", member.limits.maxMemoryMiB * mebibyte), "limits.memory"),
  ];
};

function isConfined({ image, securityContext = {} }: V1Container, starterImage: string): boolean {
  const { capabilities, ...flags } = securityContext;
  return (
    image === starterImage &&
    isDeepStrictEqual(flags, { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true }) &&
    isDeepStrictEqual(capabilities?.drop, ["ALL"]) &&
    (capabilities?.add ?? []).every((each) => each === "NET_BIND_SERVICE")
  );
}

/** The field with a policy's rules: a mutating policy fills in defaults, a validating one refuses the rest. */
const contents: Readonly<Record<string, string>> = {
  MutatingAdmissionPolicy: "mutations",
  ValidatingAdmissionPolicy: "validations",
};

/** @see https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/ */
export const policiesInForce: Check = ({ kind, name, args }, { settings }) => {
  const { failurePolicy, policyName, validationActions, matchResources, ...spec } = Object(Reflect.get(args, "spec"));
  const { namespaceSelector, objectSelector = {} } = matchResources ?? {};
  const content = contents[kind];
  if (content !== undefined) {
    const rules = spec.matchConstraints.resourceRules as readonly { readonly scope: string }[];
    return [
      ...unless(failurePolicy === "Fail", "failurePolicy", failurePolicy),
      ...unless(
        rules.every(({ scope }) => scope === "Namespaced"),
        "resourceRules",
      ),
      ...unless(spec[content].length > 0, content),
    ];
  }
  // A mutating policy is for some of the members, by a further label.
  const isMutating = kind === "MutatingAdmissionPolicyBinding";
  const own = { [stackLabel]: settings.stack, ...(isMutating ? { [fillsInLabel]: "true" } : {}) };
  return isMutating || kind === "ValidatingAdmissionPolicyBinding"
    ? [
        ...unless(policyName === name, "policyName", policyName),
        ...unless(isMutating || validationActions.includes("Deny"), "validationActions", validationActions),
        ...unless(
          isDeepStrictEqual([namespaceSelector, objectSelector], [{ matchLabels: own }, {}]),
          "matchResources",
          matchResources,
        ),
      ]
    : [];
};
