import { BlockList, isIP } from "node:net";

type Env = Readonly<Record<string, string | undefined>>;

/** The environment's proxy, by Go's rules (golang.org/x/net/http/httpproxy), which Pulumi's plugin follows. */
export function proxyFor(server: URL, env: Env): string | undefined {
  const name = server.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const proxy = either(env, name);
  if (proxy === "" || isExempt(server, either(env, "NO_PROXY"))) {
    return undefined;
  }
  return proxy.includes("://") ? proxy : `http://${proxy}`;
}

/** `proxyFor` as Node's agents take it, whose own rules for NO_PROXY are not Go's. Node before 22.21 and 24.5 ignores it. */
export function proxyEnvFor(server: URL, env: Env): { readonly HTTP_PROXY?: string; readonly HTTPS_PROXY?: string } {
  const proxy = proxyFor(server, env);
  return proxy === undefined ? {} : { HTTP_PROXY: proxy, HTTPS_PROXY: proxy };
}

function either(env: Env, name: string): string {
  return env[name] || env[name.toLowerCase()] || "";
}

function isExempt({ hostname, protocol, port }: URL, list: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "").toLowerCase();
  const portOrDefault = port || (protocol === "https:" ? "443" : "80");
  const rules = list.split(",").map((rule) => rule.trim().toLowerCase());
  return (
    host === "localhost" ||
    isWithin(host, "127.0.0.0/8") ||
    host === "::1" ||
    rules.some((rule) => rule !== "" && applies(rule, host, portOrDefault))
  );
}

function applies(rule: string, host: string, port: string): boolean {
  if (rule === "*" || isWithin(host, rule)) {
    return true;
  }
  const [, name = rule, rulePort = port] = /^(.*):(\d+)$/.exec(isIP(rule) === 6 ? "" : rule) ?? [];
  const bare = name.replace(/^\[|\]$/g, "").replace(/^\*\./, ".");
  if (rulePort !== port) {
    return false;
  }
  // A leading dot means only names below; without it, the name itself matches too.
  return bare.startsWith(".") ? host.endsWith(bare) : host === bare || (isIP(host) === 0 && host.endsWith(`.${bare}`));
}

function isWithin(host: string, range: string): boolean {
  const [, net = "", prefix = ""] = /^([^/]+)\/(\d+)$/.exec(range) ?? [];
  const family = isIP(net) === 6 ? "ipv6" : "ipv4";
  const bits = Number(prefix);
  if (isIP(net) === 0 || isIP(host) !== isIP(net) || bits > (family === "ipv6" ? 128 : 32)) {
    return false;
  }
  const ranges = new BlockList();
  ranges.addSubnet(net, bits, family);
  return ranges.check(host, family);
}
