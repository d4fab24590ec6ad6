/** Readiness by kind; other kinds are ready as soon as they exist. */
import { at, type Props, propsOf, textAt, type Value } from "../../../../buckets/protocol/values.ts";
import { nameOf } from "../objects/objects.ts";

export interface Verdict {
  ready: boolean;
  goodEnough?: boolean;
  reasons: string[];
}

export interface Judge {
  judge(live: Props): Promise<Verdict>;
  timedOut(name: string): string;
  /** A limit in seconds that overrides every time-out of the program. */
  fixedSeconds?: number;
  /** Gets the object repeatedly instead of watching its kind. */
  polls?: boolean;
}

export interface JudgeContext {
  /** Another v1 object of the namespace. */
  find(kind: "Endpoints" | "Service", name: string): Promise<Props | undefined>;
  /** Whether a refresh asks, which gives the object no time to settle. */
  reading: boolean;
}

export function judgeFor(object: Props, context: JudgeContext): Judge | undefined {
  const timedOut = (name: string): string => `'${name}' timed out waiting to be Ready`;
  switch (`${textAt(object, "apiVersion")}/${textAt(object, "kind")}`) {
    case "apps/v1/Deployment":
      return { judge: async (live) => judgeDeployment(live), timedOut };
    case "networking.k8s.io/v1/Ingress":
      return { judge: ingressJudge(context), timedOut };
    case "v1/Service":
      return { judge: serviceJudge(context), timedOut };
    case "v1/ResourceQuota":
      if (context.reading) {
        return undefined;
      }
      return {
        judge: async (live) => judgeQuota(live),
        timedOut: (name) => `Timeout occurred polling for '${name}'`,
        fixedSeconds: 60,
        polls: true,
      };
    default:
      return undefined;
  }
}

function judgeQuota(live: Props): Verdict {
  const asked = entries(at(live, "spec", "hard"));
  return { ready: JSON.stringify(asked) === JSON.stringify(entries(at(live, "status", "hard"))), reasons: [] };
}

function judgeDeployment(live: Props): Verdict {
  const condition = (type: string): Props =>
    list(at(live, "status", "conditions")).find((each) => each.type === type) ?? {};
  const [progressing, availability] = [condition("Progressing"), condition("Available")];
  const observed = at(live, "status", "observedGeneration") === at(live, "metadata", "generation");
  const replicas = Number(at(live, "spec", "replicas") ?? 1);
  const has = (count: string): boolean => Number(at(live, "status", count) ?? 0) >= replicas;
  const available = availability.status === "True";
  const rolledOut = progressing.reason === "NewReplicaSetAvailable" && progressing.status === "True";
  const first = textAt(live, "metadata", "annotations", "deployment.kubernetes.io/revision") === "1";
  const replaced = has("updatedReplicas") && has("readyReplicas");

  const reasons = [progressing, availability].flatMap((each) =>
    each.status === "False" ? [`[${each.reason}] ${each.message}`] : [],
  );
  if (!available) {
    reasons.push("Minimum number of live Pods was not attained");
  } else if (!replaced || !(first || rolledOut)) {
    reasons.push("Minimum number of Pods to consider the application live was not attained");
  }
  return { ready: observed && available && replaced && (first || rolledOut), reasons };
}

/** Milliseconds that the official plugin waits after the last change of endpoints. */
const settlingMillis = 10_000;

function serviceJudge({ find, reading }: JudgeContext): Judge["judge"] {
  let seen = { version: "", since: 0 };
  return async (live) => {
    const type = textAt(live, "spec", "type");
    const allocated = type !== "LoadBalancer" || hasAddress(live);
    const headless = at(live, "spec", "clusterIP") === "None";
    const selects = Object.keys(propsOf(at(live, "spec", "selector"))).length > 0;
    // The official plugin watches Endpoints for every Service: so the same rights are necessary here.
    const endpoints = await find("Endpoints", nameOf(live));
    if (type === "ExternalName" || headless || !selects) {
      return { ready: allocated, reasons: [] };
    }
    const version = textAt(endpoints, "metadata", "resourceVersion");
    if (version !== seen.version) {
      seen = { version, since: performance.now() };
    }
    const settled = reading || (endpoints !== undefined && performance.now() - seen.since >= settlingMillis);
    const subsets = list(endpoints?.subsets);
    const pending = subsets.some((subset) => list(subset.notReadyAddresses).length > 0);
    const reasons = subsets.some((subset) => list(subset.addresses).length > 0)
      ? []
      : [
          "Service does not target any Pods. Selected Pods may not be ready, or field '.spec.selector' may not match labels on any Pods",
        ];
    if (!allocated) {
      reasons.push("Service was not allocated an IP address; does your cloud provider support this?");
    }
    return { ready: allocated && settled && !pending, goodEnough: allocated && !pending, reasons };
  };
}

function ingressJudge({ find, reading }: JudgeContext): Judge["judge"] {
  const start = performance.now();
  return async (live) => {
    const targets = list(at(live, "spec", "rules")).flatMap((rule) =>
      list(at(rule, "http", "paths")).map((path) => textAt(path, "backend", "service", "name")),
    );
    const found = await Promise.all(targets.map((name) => isTarget(name)));
    // A missing target may never come: after a while, the route is judged without it.
    const grace = found.includes(true) ? settlingMillis : 60_000;
    const settled = reading || performance.now() - start >= grace;
    const matched = settled || !found.includes(false);
    const reasons = matched ? [] : ["Ingress has at least one rule with an unavailable target endpoint."];
    if (!hasAddress(live)) {
      reasons.push(
        "Ingress .status.loadBalancer field was not updated with a hostname/IP address. \n    for more information about this error, see https://pulumi.io/xdv72s",
      );
    }
    return { ready: matched && hasAddress(live), reasons };
  };

  async function isTarget(name: string): Promise<boolean> {
    const [service, endpoints] = await Promise.all([find("Service", name), find("Endpoints", name)]);
    return !name || textAt(service, "spec", "type") === "ExternalName" || endpoints !== undefined;
  }
}

function hasAddress(live: Props): boolean {
  return list(at(live, "status", "loadBalancer", "ingress")).length > 0;
}

function list(value: Value | undefined): Props[] {
  return Array.isArray(value) ? value.map(propsOf) : [];
}

function entries(value: Value | undefined): [string, Value][] {
  return Object.entries(propsOf(value)).sort(([left], [right]) => (left < right ? -1 : 1));
}
