import assert from "node:assert/strict";
import fc from "fast-check";
import { ca } from "../../certificates.ts";
import { findingsIn, recorded } from "./registrations.ts";

const readiness = fc.constantFrom({ mode: "gate" }, { mode: "wait", timeoutSeconds: 60 }, { mode: "managed" });
const exceptions = fc.constantFrom<object[]>(
  [],
  [{ cidr: "10.20.0.0/16", ports: [5432] }],
  [{ namespace: "monitoring", podLabels: { app: "prometheus" } }],
  [{ namespace: "shared", ports: ["53/UDP"] }, { cidr: "2001:db8::/32" }],
);
const network = fc.record({ internet: fc.boolean(), egress: exceptions, ingress: exceptions }, { requiredKeys: [] });
const figures = fc.record(
  {
    maxCPUm: fc.integer({ min: 100, max: 64_000 }),
    maxMemoryMiB: fc.integer({ min: 100, max: 65_536 }),
    numOfPVCs: fc.integer({ min: 0, max: 20 }),
    maxPVCSizeMiB: fc.integer({ min: 1, max: 100_000 }),
    maxPods: fc.integer({ min: 1, max: 500 }),
  },
  { requiredKeys: [] },
);
const entry = fc
  .record({
    basics: fc.record(
      {
        type: fc.constantFrom("admin", "user", "guest-user", "lab", "gpu", "safe"),
        groups: fc.constantFrom([], ["lab"], ["lab", "class-a"]),
        suspended: fc.boolean(),
        expires: fc.constantFrom("2020-01-01", "2999-12-31"),
        images: fc.constantFrom([], ["docker.io/library/nginx:1.*"]),
        route: fc.oneof(fc.constant(false), fc.record({ readiness })),
        protect: fc.boolean(),
        starter: fc.constantFrom("off", "once", "kept"),
        network,
        ci: fc.constantFrom<object[]>([{ token: true }], [{ job: true }], [{ job: true }, { token: true }]),
      },
      { requiredKeys: ["type"] },
    ),
    figures,
  })
  .map(({ basics, figures }) => ({ ...basics, ...figures }));

/** Jobs of a repository of the member's own; who only looks has none. */
function withJobs<T extends { readonly type: string; readonly ci?: readonly object[] }>(
  { ci = [], ...rest }: T,
  index: number,
) {
  const job = { issuer: "github", repository: `org/app-${index}`, ref: "refs/heads/main" };
  const entries = ci.map((each) => ("job" in each ? job : each));
  return rest.type === "lab" || entries.length === 0 ? rest : { ...rest, ci: entries };
}

const host = fc.constantFrom("camp.example.org", "{member}.camp.example.org");
const https = { backendProtocol: "HTTPS", backendTls: { ca } };
const tls = fc.constantFrom({}, { tls: { secretName: "camp" } }, { tls: { clusterIssuer: "public" } });
const atTraefik = { kind: "oauth2-proxy", url: "http://proxy.login.svc.cluster.local:4180" };
const login = { ...atTraefik, signIn: "https://camp.example.org/oauth2/start" };
const ways = fc.constantFrom<object>(
  {},
  { rewrite: "strip" },
  { rewrite: "strip", ...https },
  { controller: "traefik", rewrite: "strip", ...https },
  { controller: "haproxy", rewrite: "strip" },
  { controller: "contour" },
  { limits: { bodyMiB: 10, timeoutSeconds: 60, websockets: true } },
  { controller: "traefik", rewrite: "strip", limits: { bodyMiB: 10, timeoutSeconds: 60 } },
  { controller: "contour", limits: { timeoutSeconds: 60, websockets: true } },
  { controller: "traefik" },
  { login },
  { login: { ...login, allow: ["staff", "/lab"] }, rewrite: "strip" },
  { controller: "traefik", login: atTraefik, limits: { bodyMiB: 10 } },
  { controller: "traefik", login: { ...atTraefik, allow: ["staff", "a b"] }, rewrite: "strip" },
);
const ingress = fc.tuple(host, ways, tls).map(([name, way, more]) => ({ host: name, ...way, ...more }));
const gateway = fc
  .tuple(
    host,
    fc.constantFrom({}, { rewrite: "strip" }, https, { backendProtocol: "HTTPS" }, { limits: { timeoutSeconds: 60 } }),
  )
  .map(([name, way]) => ({ host: name, kind: "gateway", gateway: { name: "public", namespace: "gateways" }, ...way }));

const stack = fc
  .record({
    route: fc.oneof(ingress, gateway),
    network: fc.record(
      {
        ...{ internet: fc.boolean(), egress: exceptions, ingress: exceptions },
        nodeLocalDns: fc.constant(["169.254.20.10"]),
      },
      { requiredKeys: [] },
    ),
    ci: fc.constant({ audience: "https://k8s.example.org" }),
    memberTypes: fc.constant({
      lab: { home: "view", others: "none", quota: false, podSecurity: "restricted" },
      gpu: { devices: { "nvidia.com/gpu": 1, "gpu.example.com": 2 }, storage: { fast: "20Gi", bulk: 0 } },
      safe: {
        runtimeClasses: { allowed: ["gvisor"], default: "gvisor" },
        pool: { nodeSelector: { pool: "safe" }, tolerations: [{ key: "dedicated", value: "safe" }] },
        userNamespaces: "required",
      },
    }),
    members: fc
      .array(entry, { minLength: 1, maxLength: 5 })
      .map((entries) => entries.map((each, index) => ({ ...withJobs(each, index), member: `member-${index}` }))),
  })
  .map((raw) => {
    // Nothing but an image of somebody's own can speak HTTPS.
    const speaksTls = "backendProtocol" in raw.route;
    return { ...raw, starter: speaksTls ? { image: "ghcr.io/example/start:1" } : {} };
  });

describe("the policy gate", () => {
  it("lets through what the components make of any configuration that is taken", async () => {
    await fc.assert(
      fc.asyncProperty(stack, async (raw) => {
        assert.deepEqual(findingsIn(await recorded(raw)), []);
      }),
      { numRuns: 25 },
    );
  });
});
