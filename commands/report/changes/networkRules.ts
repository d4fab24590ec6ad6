import { isMap } from "../../../config/model/maps.ts";

/** A rule of a NetworkPolicy in a few words, such as `namespace databases (app=postgres), port 5432/TCP`. */
export function networkRule(rule: unknown): string | undefined {
  if (!isMap(rule)) {
    return undefined;
  }
  const { from = [], to = [], ports = [], ...rest } = rule;
  if (![from, to, ports].every(Array.isArray) || Object.keys(rest).length > 0) {
    return undefined;
  }
  const ends = [...(from as unknown[]), ...(to as unknown[])].map(peer);
  if (ends.includes(undefined)) {
    return undefined;
  }
  const numbers = (ports as unknown[]).map(port);
  const where = ends.includes("the internet") ? ends.filter((end) => end !== "IPv6") : ends;
  return [where.join(" or ") || "anywhere", ...(numbers.length === 0 ? [] : [`port ${numbers.join(", ")}`])].join(", ");
}

function peer(end: unknown): string | undefined {
  const { podSelector, namespaceSelector, ipBlock } = isMap(end) ? end : {};
  if (isMap(ipBlock)) {
    const { cidr, except } = ipBlock;
    // The two blocks of public addresses, without private ones (plan/objects/networkPolicy.ts).
    if (except !== undefined) {
      return cidr === "0.0.0.0/0" ? "the internet" : cidr === "2000::/3" ? "IPv6" : undefined;
    }
    return String(cidr);
  }
  if (!isMap(podSelector) && !isMap(namespaceSelector)) {
    return undefined;
  }
  if (![podSelector, namespaceSelector].every(isPlain)) {
    return undefined;
  }
  const pods = labels(podSelector);
  const { "kubernetes.io/metadata.name": name, ...others } = labelsOf(namespaceSelector) ?? {};
  const space = namespaceSelector === undefined ? "the same namespace" : `namespace ${name ?? JSON.stringify(others)}`;
  return pods === "" ? space : `${space} (${pods})`;
}

/** Whether a selector uses labels only. */
const isPlain = (selector: unknown) => !isMap(selector) || Object.keys(selector).every((key) => key === "matchLabels");

function labelsOf(selector: unknown): Readonly<Record<string, unknown>> | undefined {
  return isMap(selector) && isMap(selector.matchLabels) ? selector.matchLabels : undefined;
}

const labels = (selector: unknown) =>
  Object.entries(labelsOf(selector) ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .join(", ");

function port(entry: unknown): string {
  const { port: number, endPort, protocol } = isMap(entry) ? entry : {};
  return `${number ?? "any"}${endPort === undefined ? "" : `-${endPort}`}/${protocol ?? "TCP"}`;
}
