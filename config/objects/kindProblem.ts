import { apiGroup, isCustomVersion } from "../names/customKinds.ts";
import { encrypted, type Rule } from "../rule.ts";
import { type RawMistake, valueMistake } from "../values/mistakes.ts";
import { givenKinds, isGivenKind } from "./givenKinds.ts";

/** Kinds of kubecamp's own, by which members would get rights, room or paths beyond what the settings say. */
const own = [
  ...["Endpoints", "EndpointSlice", "Ingress", "LimitRange", "NetworkPolicy", "ResourceQuota"],
  ...["Role", "RoleBinding", "ServiceAccount"],
  ...["BackendTLSPolicy", "Gateway", "HTTPRoute", "IngressRoute", "HTTPProxy", "ListenerSet", "Middleware"],
  ...["SecurityPolicy", "ServersTransport"],
  ...["BucketAccess", "BucketClaim"],
];

/** Kinds that authors might try, each with the reason why no member is given one. */
const unfit: Readonly<Record<string, string>> = {
  Job: "can't be changed after it is created; give a CronJob or a Deployment",
  Namespace: "is cluster-scoped, and members get objects in their own namespace only",
  PersistentVolumeClaim: "holds data, which would be lost with the entry; let members create their own",
  Pod: "is not created again when its node is lost; give a Deployment",
  Secret: "in a file can be read by everybody who reads the repository; create it in a namespace, and set copy instead",
};

/**
 * API groups of controllers that give rights, write others' objects, or open paths or the network for whoever has an object
 * of theirs, by the reason. A group stands for those within it. No such list is whole: an admin judges the rest.
 */
const closedGroups: Readonly<Record<string, readonly string[]>> = {
  "is kubecamp's own": ["kubecamp.dev"],
  "creates namespaces and bindings for whoever has such an object": ["capsule.clastix.io", "hnc.x-k8s.io"],
  "decides about others' requests": ["gatekeeper.sh", "kyverno.io", "security.istio.io"],
  "gives rights": ["authorization", "oauth", "security", "user"].map((group) => `${group}.openshift.io`),
  "opens paths, which kubecamp itself creates from the settings": [
    ...["configuration.konghq.com", "gateway.envoyproxy.io", "gateway.networking.x-k8s.io", "getambassador.io"],
    "k8s.nginx.org",
    ...["networking.istio.io", "projectcontour.io", "route.openshift.io", "traefik.containo.us", "traefik.io"],
  ],
  "opens the network, which kubecamp itself isolates by the settings": ["antrea.io", "cilium.io", "projectcalico.org"],
};

/** Why the settings can't allow a custom kind in `objects`; undefined if they can. */
function customProblem(apiVersion: string, kind: string): string | undefined {
  if (isGivenKind(kind) && givenKinds[kind].apiVersion === apiVersion) {
    return "needs no entry: objects can have it, or a copy of it, without one";
  }
  if (!isCustomVersion(apiVersion)) {
    return kindProblem(kind, apiVersion);
  }
  const group = apiGroup(apiVersion);
  const closed = Object.entries(closedGroups).find(([, groups]) =>
    groups.some((each) => group === each || group.endsWith(`.${each}`)),
  );
  // Other groups have kinds of the same names as kubecamp's own, which do the same.
  return closed?.[0] ?? (own.includes(kind) ? kindProblem(kind, apiVersion) : undefined);
}

/** Why members can't be given objects of a kind. */
export function kindProblem(kind: string, apiVersion?: unknown): string {
  if (isCustomVersion(apiVersion) && !own.includes(kind)) {
    const why = customProblem(apiVersion, kind);
    return why === undefined
      ? "is a custom kind that the settings don't allow: its controller may grant rights, run pods or copy secrets for whoever has " +
          `such an object. If it does nothing that its member may not do, set objectKinds: [{ apiVersion: ${apiVersion}, kind: ${kind} }]`
      : `is a custom kind that kubecamp never allows: it ${why}`;
  }
  if (own.includes(kind)) {
    return "is a kind that kubecamp itself creates from the settings";
  }
  if (Object.hasOwn(unfit, kind)) {
    return unfit[kind] ?? "";
  }
  return kind.endsWith("List")
    ? "is a list; put each object into a document of its own, after a line with ---"
    : "can't be given to members";
}

export const objectKindRule: Rule = (all) => {
  const { objectKinds = [] } = all.entry;
  const hidden = objectKinds.length === 0 ? [] : encrypted([["objectKinds"]], all);
  if (hidden.length > 0) {
    return hidden;
  }
  const first = new Map<string, number>();
  return objectKinds.flatMap(({ apiVersion, kind } = {}, index): RawMistake[] => {
    if (apiVersion === undefined || kind === undefined) {
      return [];
    }
    const path = ["objectKinds", index, "kind"];
    const key = `${apiGroup(apiVersion)}/${kind}`;
    const before = first.get(key);
    first.set(key, before ?? index);
    if (before !== undefined) {
      return [valueMistake(path, kind, `is objectKinds[${before}] already; keep one of the two`)];
    }
    const problem = customProblem(apiVersion, kind);
    return problem === undefined ? [] : [valueMistake(path, kind, `of ${apiVersion} ${problem}; remove it`)];
  });
};
