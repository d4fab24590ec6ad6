import assert from "node:assert/strict";
import { ca } from "../certificates.ts";
import { configuration, member, routeAt } from "../samples.ts";

const readiness = { mode: "gate", requires: "service", timeoutSeconds: 300, targetPort: 8080 };
const builtIn = {
  maxCpuMillicores: 500,
  maxMemoryMiB: 500,
  defaultCpuMillicores: 100,
  defaultMemoryMiB: 100,
  persistentVolumeClaims: 5,
  maxPersistentVolumeClaimMiB: 1000,
  pods: 50,
  objects: 100,
  maxEphemeralStorageMiB: 10_000,
  defaultEphemeralStorageMiB: 1000,
};
const named = (member: string, entry: object = {}, type = "user") => ({ member, type, ...entry });
const traits = { home: "edit", others: "view", quota: true, podSecurity: "baseline", priorityClasses: [] };

describe("configuration", () => {
  it("gives figures that are left out the values that the Members operator gave", () => {
    const kubeDns = { dnsNamespace: "kube-system", dnsPodLabels: { "k8s-app": "kube-dns" } };
    assert.deepEqual(configuration({ members: [{ member: "carol", type: "guest-user" }] }), {
      settings: {
        stack: "dev",
        cluster: {},
        oidc: {
          ...{ usernameClaim: "sub", groupsClaim: "groups", scopes: [] },
          ...{ usernamePrefix: "oidc:", groupsPrefix: "oidc:" },
        },
        route: {
          ...{ kind: "ingress", controller: "ingress-nginx", namespace: "ingress-nginx", className: "nginx" },
          ...{
            place: "controller",
            beside: "ingress-nginx",
            rewrite: "none",
            backend: { protocol: "HTTP", serverName: "{member}-svc.{member}.svc" },
          },
        },
        network: { ingressPodLabels: {}, ...kubeDns, nodeLocalDns: [] },
        contact: "your cluster's admin",
        starter: { image: "docker.io/library/caddy:2", port: 8080, replicas: 1, cpuMillicores: 50, memoryMiB: 64 },
        offboarding: {},
        notify: { expiryDays: [3, 14], quotaPercent: 90 },
      },
      members: [
        {
          name: "carol",
          type: { ...traits, name: "guest-user", others: "view-guest" },
          labels: {},
          limits: builtIn,
          network: { internet: true, egress: [], ingress: [] },
          username: "oidc:carol",
          groups: [],
          route: { host: "camp.example.org", path: "/carol", readiness },
          standing: "active",
          adopt: false,
          protect: false,
        },
      ],
    });
  });

  it("takes all that a stack's settings can say", () => {
    const issuer = { issuerUrl: "https://id.example.org", clientId: "camp", ca };
    const claims = { usernameClaim: "email", groupsClaim: "roles", scopes: ["email"] };
    const oidc = { ...issuer, ...claims, usernamePrefix: "idp:", groupsPrefix: "idp-group:" };
    const starter = { image: "ghcr.io/acme/start:1", port: 3000, replicas: 2, cpuMillicores: 20, memoryMiB: 32 };
    const pages = { "index.md": "# {member}", "more.md": "{limits}" };
    const route = {
      kind: "ingress",
      controller: "traefik",
      place: "controller",
      namespace: "edge",
      className: "edge",
      rewrite: "strip",
    };
    const tls = { clusterIssuer: "letsencrypt" };
    const backendTls = { ca, serverName: "{member}.internal" };
    const dns = { dnsNamespace: "dns", dnsPodLabels: { app: "d" }, nodeLocalDns: ["169.254.20.10"] };
    const mail = {
      ...{ to: ["platform@example.org"], from: "kubecamp@example.org", server: "smtp.example.org" },
      ...{ security: "tls", user: "camp", password: "p" },
    };
    const webhook = { url: "https://hooks.example.org/x", token: "t" };
    const notify = { expiryDays: [0, 30], quotaPercent: 75, webhook };
    const over = { types: ["user"], labels: { course: "cs101" }, members: ["bob"] };
    const most = { maxCPUm: 1000, maxMemoryMiB: 1001, storageMiB: 1002 };
    const same = {
      cluster: { context: "prod", id: "0b9c7f0e-6a51-4c6f-9c0e-2f1d3a4b5c6d" },
      oidc,
      contact: "a@example.org",
    };
    const { settings } = configuration({
      ...same,
      starter: { ...starter, mode: "off", pages },
      route: { ...route, host: "apps.example.org", tls, backendProtocol: "HTTPS", backendTls },
      network: { ...dns, ingressPodLabels: { app: "t" } },
      offboarding: { maxRemovals: 0, protect: true, adopt: true },
      notify: { ...notify, mail },
      budgets: [{ name: "cs101", over, ...most }],
      members: [{ member: "bob", type: "user", protect: false, subject: "bob@example.org" }],
    });
    assert.deepEqual(settings, {
      stack: "dev",
      ...same,
      starter: { ...starter, pages },
      route: { ...route, beside: "edge", tls, backend: { protocol: "HTTPS", ...backendTls } },
      network: { ...dns, ingressPodLabels: { app: "t" } },
      offboarding: { maxRemovals: 0 },
      notify: { ...notify, mail: { ...mail, port: 465 } },
      budgets: [{ name: "cs101", over, most }],
    });
  });

  it("takes all that a member's entry can say", () => {
    const bob = {
      ...{ member: "bob", type: "user", subject: "bob@example.org", groups: ["class-a"] },
      ...{ maxCPUm: 600, maxMemoryMiB: 601, defaultCPUm: 60, defaultMemoryMiB: 61, numOfPVCs: 2, maxPVCSizeMiB: 62 },
      ...{ maxPods: 3, maxObjects: 4, maxEphemeralStorageMiB: 630, defaultEphemeralStorageMiB: 64 },
      ...{ priorityClasses: ["low"], images: ["docker.io/library/nginx:1.*"], labels: { course: "cs101" } },
      network: {
        internet: true,
        egress: [{ namespace: "db", podLabels: { app: "pg" }, ports: [5432, "53/UDP"] }, { cidr: "10.20.0.0/16" }],
      },
      route: { host: "bob.example.org", path: "/lab/bob", readiness: { mode: "managed", targetPort: "http" } },
      ...{ expires: "2026-12-31", home: "view", others: "none", podSecurity: "restricted", starter: "kept" },
      ...{ adopt: false, protect: false },
    };
    const stack = {
      starter: { image: "ghcr.io/acme/start:1" },
      route: { host: "apps.example.org", readiness: { mode: "wait", requires: "endpoints", timeoutSeconds: 60 } },
      network: { internet: false, ingress: [{ namespace: "monitoring" }] },
    };
    const ports = [
      { port: 5432, protocol: "TCP" },
      { port: 53, protocol: "UDP" },
    ];
    assert.deepEqual(configuration({ ...stack, members: [bob] }).members, [
      {
        name: "bob",
        type: {
          ...{ name: "user", home: "view", others: "none", quota: true },
          ...{ podSecurity: "restricted", priorityClasses: ["low"] },
        },
        labels: { course: "cs101" },
        limits: {
          ...{ maxCpuMillicores: 600, maxMemoryMiB: 601, defaultCpuMillicores: 60, defaultMemoryMiB: 61 },
          ...{ persistentVolumeClaims: 2, maxPersistentVolumeClaimMiB: 62, pods: 3, objects: 4 },
          ...{ maxEphemeralStorageMiB: 630, defaultEphemeralStorageMiB: 64 },
        },
        images: ["docker.io/library/nginx:1.*", "ghcr.io/acme/start:1"],
        network: {
          internet: true,
          egress: [
            { peer: { namespace: "db", podLabels: { app: "pg" } }, ports },
            { peer: { cidr: "10.20.0.0/16" }, ports: [] },
          ],
          ingress: [{ peer: { namespace: "monitoring", podLabels: {} }, ports: [] }],
        },
        username: "oidc:bob@example.org",
        groups: ["oidc:class-a"],
        route: {
          host: "bob.example.org",
          path: "/lab/bob",
          readiness: { mode: "managed", requires: "endpoints", timeoutSeconds: 60, targetPort: "http" },
        },
        starter: { mode: "kept" },
        standing: "active",
        expires: "2026-12-31",
        adopt: false,
        protect: false,
      },
    ]);
  });

  it("takes a member's figures before the type's, and those before the stack's", () => {
    const none = { persistentVolumeClaims: 0, maxPersistentVolumeClaimMiB: 10 };
    const { members } = configuration({
      defaults: { maxCPUm: 2000, defaultMemoryMiB: 64, numOfPVCs: 1 },
      memberTypes: { student: { defaults: { maxCPUm: 250, defaultMemoryMB: 48 } } },
      members: [
        named("bob", { maxMemoryMiB: 800 }),
        named("dora", {}, "student"),
        named("erin", { defaultMemoryMB: 32, maxCPUm: 300, numOfPVCs: 0, maxPVCSizeMiB: 10 }, "student"),
      ],
    });
    assert.deepEqual(
      members.map(({ limits }) => limits),
      [
        { ...builtIn, maxCpuMillicores: 2000, maxMemoryMiB: 800, defaultMemoryMiB: 64, persistentVolumeClaims: 1 },
        { ...builtIn, maxCpuMillicores: 250, defaultMemoryMiB: 48, persistentVolumeClaims: 1 },
        { ...builtIn, ...none, maxCpuMillicores: 300, defaultMemoryMiB: 32 },
      ],
    );
  });

  it("takes a member's images before the type's, and those before the stack's", () => {
    const imagesOf = (stack: object) =>
      configuration({
        ...stack,
        memberTypes: { student: { images: ["nginx"] } },
        members: [named("bob"), named("dora", {}, "student"), named("erin", { images: [] }, "student")],
      }).members.map(({ images }) => images);
    assert.deepEqual(imagesOf({ images: ["redis"] }), [["redis"], ["nginx"], []]);
    assert.deepEqual(imagesOf({}), [undefined, ["nginx"], []]);
  });

  it("lets through what member, type and stack say together, to the internet as the first says", () => {
    const opened = (internet: boolean, cidr: string) => ({ network: { internet, egress: [{ cidr }] } });
    const erin = named("erin", opened(false, "10.3.0.0/16"), "student");
    const { members } = configuration({
      ...opened(false, "10.1.0.0/16"),
      memberTypes: { student: opened(true, "10.2.0.0/16") },
      members: [named("bob"), named("dora", {}, "student"), erin],
    });
    const to = (...cidrs: string[]) => cidrs.map((cidr) => ({ peer: { cidr }, ports: [] }));
    assert.deepEqual(
      members.map(({ network: { internet, egress } }) => [internet, egress]),
      [
        [false, to("10.1.0.0/16")],
        [true, to("10.2.0.0/16", "10.1.0.0/16")],
        [false, to("10.3.0.0/16", "10.2.0.0/16", "10.1.0.0/16")],
      ],
    );
  });

  const own = [
    named("bob"),
    named("dora", { route: { path: "/dora" } }),
    named("erin", { route: { host: "erin.example.org" } }),
  ];

  it("takes a route of a member's own, or none", () => {
    const { members } = configuration({
      route: { host: "camp.example.org", path: "/people/{member}" },
      members: [...own, named("fay", { route: false }), named("guy", { route: {} })],
    });
    assert.deepEqual(
      members.map(({ route }) => route),
      [
        routeAt("camp.example.org", "/people/bob"),
        routeAt("camp.example.org", "/dora"),
        routeAt("erin.example.org", "/people/erin"),
        undefined,
        routeAt("camp.example.org", "/people/guy"),
      ],
    );
  });

  it("takes a whole host for each member where the stack's host has {member}", () => {
    const routes = (route: object) => configuration({ route, members: own }).members.map((made) => made.route);
    assert.deepEqual(routes({ host: "{member}.camp.example.org" }), [
      routeAt("bob.camp.example.org", "/"),
      routeAt("dora.camp.example.org", "/dora"),
      routeAt("erin.example.org", "/"),
    ]);
    const [bobs] = routes({ host: "x-{member}.example.org", path: "/{member}" });
    assert.deepEqual(bobs, routeAt("x-bob.example.org", "/bob"));
  });

  it("takes a Gateway, whose namespace is that of its pods unless one of the two is set", () => {
    const routeOf = (route: object) =>
      configuration({ route: { host: "camp.example.org", kind: "gateway", ...route }, members: [] }).settings.route;
    const named = { name: "public", namespace: "edge", sectionName: "https" };
    const { namespace, gateway } = routeOf({ gateway: named });
    assert.deepEqual([namespace, gateway], ["edge", named]);
    const ofPods = routeOf({ namespace: "pods", gateway: { name: "public" } }).gateway;
    assert.deepEqual(ofPods, { name: "public", namespace: "pods" });
  });

  for (const { entry, standing } of [
    { entry: { expires: "2026-06-15" }, standing: "active" },
    { entry: { expires: "2026-06-14" }, standing: "expired" },
    { entry: { expires: "2026-06-14", suspended: true }, standing: "suspended" },
    { entry: { expires: "2026-06-14 00:00:00 +0000 UTC" }, standing: "expired" },
  ]) {
    it(`takes a member with ${JSON.stringify(entry)} as ${standing} on 2026-06-15`, () => {
      assert.equal(member({ member: "bob", type: "user", ...entry }).standing, standing);
    });
  }

  it("protects and adopts as the stack says, unless the member says otherwise", () => {
    const { members } = configuration({
      offboarding: { protect: true, adopt: true },
      members: [named("bob"), named("dora", { protect: false, adopt: false })],
    });
    const both = members.map(({ protect, adopt }) => [protect, adopt]);
    assert.deepEqual(both, [
      [true, true],
      [false, false],
    ]);
  });
});
