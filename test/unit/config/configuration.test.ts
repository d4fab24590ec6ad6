import assert from "node:assert/strict";
import { parseConfiguration } from "../../../config/configuration.ts";
import { configuration, today } from "../samples.ts";

const route = { host: "camp.example.org" };
const mistakes = (raw: Record<string, unknown>): string[] => {
  const parsed = parseConfiguration("dev", raw, today);
  return "mistakes" in parsed ? parsed.mistakes.map(({ path, message }) => `${path}: ${message}`) : [];
};
const mistakesOfMembers = (...members: unknown[]) => mistakes({ route, members });

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
      },
      members: [
        {
          name: "carol",
          type: { name: "guest-user", home: "edit", others: "view-guest", quota: true, podSecurity: "baseline" },
          limits: {
            maxCpuMillicores: 500,
            maxMemoryMiB: 500,
            defaultCpuMillicores: 100,
            defaultMemoryMiB: 100,
            persistentVolumeClaims: 5,
            maxPersistentVolumeClaimMiB: 1000,
          },
          username: "oidc:carol",
          groups: [],
        },
      ],
    });
  });

  it("takes a member's own figures before the stack's defaults, in the operator's spelling as well", () => {
    const { members } = configuration({
      defaults: { maxCPUm: 2000, defaultMemoryMiB: 64 },
      members: [
        { member: "bob", type: "user", maxMemoryMiB: 800 },
        { member: "dora", type: "user", defaultMemoryMB: 32, maxCPUm: 300, numOfPVCs: 0, maxPVCSizeMiB: 10 },
      ],
    });
    assert.deepEqual(
      members.map(({ limits }) => limits),
      [
        {
          maxCpuMillicores: 2000,
          maxMemoryMiB: 800,
          defaultCpuMillicores: 100,
          defaultMemoryMiB: 64,
          persistentVolumeClaims: 5,
          maxPersistentVolumeClaimMiB: 1000,
        },
        {
          maxCpuMillicores: 300,
          maxMemoryMiB: 500,
          defaultCpuMillicores: 100,
          defaultMemoryMiB: 32,
          persistentVolumeClaims: 0,
          maxPersistentVolumeClaimMiB: 10,
        },
      ],
    );
  });

  it("prefixes subjects and groups as the API server will see them", () => {
    const { members } = configuration({
      oidc: { usernamePrefix: "idp:", groupsPrefix: "idp-group:" },
      members: [{ member: "bob", type: "user", subject: "bob@example.org", groups: ["class-a"] }],
    });
    assert.equal(members[0]?.username, "idp:bob@example.org");
    assert.deepEqual(members[0]?.groups, ["idp-group:class-a"]);
  });

  it("tells every mistake at once, each with its path, the value and the way out", () => {
    assert.deepEqual(
      mistakes({
        route: { host: "https://camp.example.org", hots: "x" },
        memebers: [],
        cluster: { context: "" },
        members: [
          { member: "Alice", type: "admin" },
          { member: "bob", type: "gest-user", maxCPU: 1 },
          { type: "user" },
          { member: "dora", type: "user", maxCPUm: 50, maxMemoryMiB: -1 },
          { member: "erin", type: "user", maxCPUm: 50 },
          "frank",
        ],
      }),
      [
        'cluster.context: "" must not be empty',
        'route.host: "https://camp.example.org" must be a host name in lower case, without scheme, port or path',
        "route.hots: is no setting here; did you mean 'host'?",
        "memebers: is no setting here; did you mean 'members'?",
        "members[0].member: \"Alice\" must be a DNS label: a-z, 0-9 and '-', starting with a letter",
        "members[1].type: \"gest-user\" is no member type; did you mean 'guest-user'? (admin, user, guest-user) (member 'bob')",
        "members[1].maxCPU: is no setting here; did you mean 'maxCPUm'? (member 'bob')",
        "members[2].member: is missing: must be a text",
        "members[3].maxMemoryMiB: -1 must be at least 1 (member 'dora')",
        "members[4].maxCPUm: 50 is below defaultCPUm (100), so that no container would fit (member 'erin')",
        "members[5]: \"frank\" must be a member: at least 'member' and 'type'",
      ],
    );
  });

  it("says what is missing when nothing is configured", () => {
    assert.deepEqual(mistakes({}), [
      "members: is missing: must be a list of members",
      "route: is missing: must be a map with at least 'host'",
    ]);
  });

  for (const [entry, mistake] of [
    [{ maxCPUm: 0.5 }, "members[0].maxCPUm: 0.5 must be a whole number of thousandths of a CPU (member 'bob')"],
    [{ maxCPUm: "500m" }, "members[0].maxCPUm: \"500m\" must be a number of thousandths of a CPU (member 'bob')"],
    [{ numOfPVCs: -1 }, "members[0].numOfPVCs: -1 must be at least 0 (member 'bob')"],
    [
      { defaultCPUm: 600 },
      "members[0].defaultCPUm: 600 is above maxCPUm (500), so that no container would fit (member 'bob')",
    ],
    [{ maxPVCSizeMiB: 1e9 }, "members[0].maxPVCSizeMiB: 1000000000 must be at most 100000000 (member 'bob')"],
    [{ maxMemoryMiB: 1e12 }, "members[0].maxMemoryMiB: 1000000000000 must be at most 1000000000 (member 'bob')"],
    [{ subject: "" }, "members[0].subject: \"\" must not be empty (member 'bob')"],
    [{ groups: "class-a" }, "members[0].groups: \"class-a\" must be a list of groups (member 'bob')"],
    [
      { maxMemoryMiB: 64 },
      "members[0].maxMemoryMiB: 64 is below defaultMemoryMiB (100), so that no container would fit (member 'bob')",
    ],
    [
      { defaultMemoryMB: 50, defaultMemoryMiB: 60 },
      "members[0].defaultMemoryMB: 50 is another figure than defaultMemoryMiB (60); the two mean the same, keep one (member 'bob')",
    ],
  ] as const) {
    it(`refuses ${JSON.stringify(entry)}`, () => {
      assert.deepEqual(mistakesOfMembers({ member: "bob", type: "user", ...entry }), [mistake]);
    });
  }

  for (const [name, why] of [
    ["default", '"default" is one of Kubernetes\' own namespaces; choose another name'],
    ["kube-public", '"kube-public" is one of Kubernetes\' own namespaces; choose another name'],
    ["ingress-nginx", '"ingress-nginx" is the ingress controller\'s namespace (route.namespace); choose another name'],
    ["1st", "\"1st\" must be a DNS label: a-z, 0-9 and '-', starting with a letter"],
    ["a.b", "\"a.b\" must be a DNS label: a-z, 0-9 and '-', starting with a letter"],
    ["../bob", "\"../bob\" must be a DNS label: a-z, 0-9 and '-', starting with a letter"],
    ["bob-", "\"bob-\" must be a DNS label: a-z, 0-9 and '-', starting with a letter"],
    ["a".repeat(60), `"${"a".repeat(56)}... must have at most 59 characters, so that '-svc' fits behind it`],
  ] as const) {
    it(`refuses a member named ${name}`, () => {
      assert.deepEqual(mistakesOfMembers({ member: name, type: "user" }), [`members[0].member: ${why}`]);
    });
  }

  it("takes the longest name that '-svc' fits behind", () => {
    assert.deepEqual(mistakesOfMembers({ member: "a".repeat(59), type: "user" }), []);
  });

  it("tells figures of the defaults that contradict each other once, of the defaults", () => {
    const members = ["bob", "dora"].map((member) => ({ member, type: "user" }));
    assert.deepEqual(
      mistakes({ route, members, defaults: { defaultCPUm: 600, defaultMemoryMB: 1, defaultMemoryMiB: 2 } }),
      [
        "defaults.defaultCPUm: 600 is above maxCPUm (500), so that no container would fit",
        "defaults.defaultMemoryMB: 1 is another figure than defaultMemoryMiB (2); the two mean the same, keep one",
      ],
    );
  });

  it("takes the stack's defaults into account though another setting is wrong", () => {
    const members = [{ member: "bob", type: "user", defaultCPUm: 1000 }];
    assert.deepEqual(mistakes({ route: {}, members, defaults: { maxCPUm: 2000 } }), [
      "route.host: is missing: must be a text",
    ]);
  });

  it("holds no maximum against a type without a quota", () => {
    assert.deepEqual(mistakesOfMembers({ member: "alice", type: "admin", maxCPUm: 50 }), []);
  });

  it("refuses labels and an IngressClass that the API server would refuse", () => {
    assert.deepEqual(
      mistakes({
        route: { ...route, className: "Bad Name" },
        network: { dnsPodLabels: { "bad key!": "x" }, ingressPodLabels: { app: "-x" } },
        members: [],
      }).map((line) => line.split(":")[0]),
      ["route.className", "network.ingressPodLabels", "network.dnsPodLabels"],
    );
  });

  it("refuses a stack whose name could not stand in a label", () => {
    const told = (stack: string) => {
      const parsed = parseConfiguration(stack, { route, members: [] }, today);
      return "mistakes" in parsed ? parsed.mistakes.map(({ path }) => path) : [];
    };
    assert.deepEqual(["dev", "eu-1.Prod_2", "-dev", "s".repeat(64)].map(told), [[], [], ["stack"], ["stack"]]);
  });

  it("refuses two members of one name, and two of one subject", () => {
    assert.deepEqual(
      mistakesOfMembers(
        { member: "bob", type: "user" },
        { member: "bob", type: "admin" },
        { member: "robert", type: "user", subject: "bob" },
      ),
      [
        'members[1].member: "bob" is the name of members[0] already; names must differ',
        "members[2].subject: \"oidc:bob\" signs in as members[0] already; subjects must differ (member 'robert')",
      ],
    );
  });

  it("refuses subjects and groups that Kubernetes itself uses", () => {
    assert.deepEqual(
      mistakes({
        route,
        oidc: { usernamePrefix: "", groupsPrefix: "" },
        members: [{ member: "bob", type: "user", subject: "system:admin", groups: ["system:masters"] }],
      }),
      [
        "members[0].subject: \"system:admin\" is one of Kubernetes' own names; set a prefix in oidc (member 'bob')",
        "members[0].groups: \"system:masters\" is one of Kubernetes' own names; set a prefix in oidc (member 'bob')",
      ],
    );
  });
});
