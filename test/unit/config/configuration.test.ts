import assert from "node:assert/strict";
import { configuration, member } from "../samples.ts";

const builtIn = {
  maxCpuMillicores: 500,
  maxMemoryMiB: 500,
  defaultCpuMillicores: 100,
  defaultMemoryMiB: 100,
  persistentVolumeClaims: 5,
  maxPersistentVolumeClaimMiB: 1000,
};

describe("configuration", () => {
  it("gives what is left out the figures that the Members operator gave", () => {
    assert.deepEqual(configuration({ members: [{ member: "carol", type: "guest-user" }] }), {
      settings: {
        stack: "dev",
        cluster: {},
        oidc: { usernamePrefix: "oidc:", groupsPrefix: "oidc:" },
        route: { host: "camp.example.org", namespace: "ingress-nginx", className: "nginx" },
        network: {
          ingressPodLabels: {},
          dnsNamespace: "kube-system",
          dnsPodLabels: { "k8s-app": "kube-dns" },
          internet: true,
        },
        offboarding: {},
      },
      members: [
        {
          name: "carol",
          type: { name: "guest-user", home: "edit", others: "view-guest", quota: true, podSecurity: "baseline" },
          limits: builtIn,
          username: "oidc:carol",
          groups: [],
          route: { host: "camp.example.org", path: "/carol" },
          standing: "active",
          adopt: false,
          protect: false,
        },
      ],
    });
  });

  it("takes all that a stack and a member can say", () => {
    const settings = {
      cluster: { context: "prod", id: "0b9c7f0e-6a51-4c6f-9c0e-2f1d3a4b5c6d" },
      oidc: { usernamePrefix: "idp:", groupsPrefix: "idp-group:" },
      route: { host: "apps.example.org", path: "/people/{member}", namespace: "traefik", className: "traefik" },
      network: { ingressPodLabels: { app: "t" }, dnsNamespace: "dns", dnsPodLabels: { app: "d" }, internet: false },
      offboarding: { maxRemovals: 0, protect: true, adopt: true },
      capacity: { cpuMillicores: 1000, memoryMiB: 1000, storageMiB: 1000 },
    };
    const bob = {
      member: "bob",
      type: "user",
      subject: "bob@example.org",
      groups: ["class-a"],
      maxCPUm: 600,
      maxMemoryMiB: 601,
      defaultCPUm: 60,
      defaultMemoryMiB: 61,
      numOfPVCs: 2,
      maxPVCSizeMiB: 62,
      route: { host: "bob.example.org", path: "/lab/bob" },
      expires: "2026-12-31",
      home: "view",
      others: "none",
      podSecurity: "restricted",
      adopt: false,
      protect: false,
    };
    assert.deepEqual(configuration({ ...settings, members: [bob] }), {
      settings: {
        stack: "dev",
        cluster: settings.cluster,
        oidc: settings.oidc,
        route: { host: "apps.example.org", namespace: "traefik", className: "traefik" },
        network: settings.network,
        offboarding: { maxRemovals: 0 },
      },
      members: [
        {
          name: "bob",
          type: { name: "user", home: "view", others: "none", quota: true, podSecurity: "restricted" },
          limits: {
            maxCpuMillicores: 600,
            maxMemoryMiB: 601,
            defaultCpuMillicores: 60,
            defaultMemoryMiB: 61,
            persistentVolumeClaims: 2,
            maxPersistentVolumeClaimMiB: 62,
          },
          username: "idp:bob@example.org",
          groups: ["idp-group:class-a"],
          route: { host: "bob.example.org", path: "/lab/bob" },
          standing: "active",
          expires: "2026-12-31",
          adopt: false,
          protect: false,
        },
      ],
    });
  });

  it("takes a member's own figures before the type's, and the type's before the stack's, in either spelling", () => {
    const { members } = configuration({
      defaults: { maxCPUm: 2000, defaultMemoryMiB: 64, numOfPVCs: 1 },
      memberTypes: { student: { defaults: { maxCPUm: 250, defaultMemoryMB: 48 } } },
      members: [
        { member: "bob", type: "user", maxMemoryMiB: 800 },
        { member: "dora", type: "student" },
        { member: "erin", type: "student", defaultMemoryMB: 32, maxCPUm: 300, numOfPVCs: 0, maxPVCSizeMiB: 10 },
      ],
    });
    assert.deepEqual(
      members.map(({ limits }) => limits),
      [
        { ...builtIn, maxCpuMillicores: 2000, maxMemoryMiB: 800, defaultMemoryMiB: 64, persistentVolumeClaims: 1 },
        { ...builtIn, maxCpuMillicores: 250, defaultMemoryMiB: 48, persistentVolumeClaims: 1 },
        {
          ...builtIn,
          maxCpuMillicores: 300,
          defaultMemoryMiB: 32,
          persistentVolumeClaims: 0,
          maxPersistentVolumeClaimMiB: 10,
        },
      ],
    );
  });

  it("changes built-in types, adds others, and lets a member have it otherwise", () => {
    const { members } = configuration({
      memberTypes: { admin: { quota: true }, student: { others: "none", podSecurity: "restricted" } },
      members: [
        { member: "alice", type: "admin" },
        { member: "bob", type: "user" },
        { member: "dora", type: "student" },
        { member: "erin", type: "student", others: "view", quota: false },
      ],
    });
    assert.deepEqual(
      members.map(({ type }) => type),
      [
        { name: "admin", home: "edit", others: "view", quota: true, podSecurity: "baseline" },
        { name: "user", home: "edit", others: "view", quota: true, podSecurity: "baseline" },
        { name: "student", home: "edit", others: "none", quota: true, podSecurity: "restricted" },
        { name: "student", home: "edit", others: "view", quota: false, podSecurity: "restricted" },
      ],
    );
  });

  it("has a route of a member's own, or none", () => {
    const { members } = configuration({
      route: { host: "camp.example.org", path: "/people/{member}" },
      members: [
        { member: "bob", type: "user" },
        { member: "dora", type: "user", route: { path: "/dora" } },
        { member: "erin", type: "user", route: { host: "erin.example.org" } },
        { member: "fay", type: "user", route: false },
        { member: "guy", type: "user", route: {} },
      ],
    });
    assert.deepEqual(
      members.map(({ route }) => route),
      [
        { host: "camp.example.org", path: "/people/bob" },
        { host: "camp.example.org", path: "/dora" },
        { host: "erin.example.org", path: "/people/erin" },
        undefined,
        { host: "camp.example.org", path: "/people/guy" },
      ],
    );
  });

  for (const { entry, standing } of [
    { entry: {}, standing: "active" },
    { entry: { suspended: false }, standing: "active" },
    { entry: { suspended: true }, standing: "suspended" },
    { entry: { expires: "2026-06-15" }, standing: "active" },
    { entry: { expires: "2026-06-14" }, standing: "expired" },
    { entry: { expires: "2026-06-14", suspended: false }, standing: "expired" },
    { entry: { expires: "2026-06-14", suspended: true }, standing: "suspended" },
    { entry: { expires: "2026-06-14 00:00:00 +0000 UTC" }, standing: "expired" },
  ]) {
    it(`has a member with ${JSON.stringify(entry)} ${standing} on 2026-06-15`, () => {
      assert.equal(member({ member: "bob", type: "user", ...entry }).standing, standing);
    });
  }

  it("protects and adopts as the stack says, unless the member says otherwise", () => {
    const { members } = configuration({
      offboarding: { protect: true, adopt: true },
      members: [
        { member: "bob", type: "user" },
        { member: "dora", type: "user", protect: false, adopt: false },
      ],
    });
    assert.deepEqual(
      members.map(({ protect, adopt }) => ({ protect, adopt })),
      [
        { protect: true, adopt: true },
        { protect: false, adopt: false },
      ],
    );
  });
});
