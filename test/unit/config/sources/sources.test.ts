import assert from "node:assert/strict";
import { membersSource, parseSources, stackSource } from "../../../../config/sources/sources.ts";
import { mistakeLines } from "../../../../config/values/mistakes.ts";
import { today } from "../../samples.ts";

function parsed(stackText: string, membersText?: string) {
  const stack = stackSource("Pulumi.dev.yaml", stackText);
  const members = membersText === undefined ? undefined : membersSource("members.yaml", membersText);
  return parseSources("dev", { stack, members }, today);
}

function lines(stackText: string, membersText?: string): string[] {
  const result = parsed(stackText, membersText);
  return "mistakes" in result ? mistakeLines(result.mistakes) : [];
}

const names = (...texts: Parameters<typeof parsed>): string[] => {
  const result = parsed(...texts);
  assert.ok("configuration" in result, "there are mistakes");
  return result.configuration.members.map(({ name }) => name);
};

const withFile = `config:
  kubecamp:route:
    host: camp.example.org
    controller: ingress-nginx
  kubecamp:membersFile: members.yaml
`;

const noRoute = (line: number) => `Pulumi.dev.yaml:${line}: route: is missing: must be a map with at least 'host'`;

describe("a stack's file and its members file", () => {
  it("makes one configuration of a stack's file and its members file", () => {
    const list = "- { member: bob, type: user }\n- { member: dora, type: admin }\n";
    assert.deepEqual(names(withFile, list), ["bob", "dora"]);
    assert.deepEqual(names(withFile, ""), []);
  });

  it("tells twelve mistakes in twelve lines, each with the line of the key or its entry", () => {
    const stack = `encryptionsalt: v1:abc
config:
  kubecamp:route:
    host: camp.example.org
    controller: ingress-nginx
    clasName: nginx # 1
  kubecamp:membersFile: members.yaml
  kubecamp:capacity:
    memoryMiB: 1500 # 2
`;
    const members = `# The class of this year.
apiVersion: crds.yadiary.net/v1
kind: Members
spec:
  members:
    - member: bob
      type: usr # 3
    - type: user # 4, from here
      subject: someone@example.org
    - member: bob # 5
      type: user
      maxCPUm: 50 # 6
    - member: kube-dora # 7
      type: user
      expires: 31.12.2026 # 8
    - member: erin
      type: guest-user
      maxMemoryMiB: 1Gi # 9
      subject: bob # 10
---
- member: fay
  type: user
  route:
    path: /erin/fay # 11
  groups:
    - class-a
    - class-a # 12
`;
    assert.deepEqual(lines(stack, members), [
      "Pulumi.dev.yaml:6: route.clasName: is no setting here; did you mean 'className'?",
      "Pulumi.dev.yaml:9: capacity.memoryMiB: 1500 is less than the sum of the quotas of 4 members (2000)",
      "members.yaml:7: members[0].type: \"usr\" is no member type; did you mean 'user'? (admin, user, guest-user) (member 'bob')",
      "members.yaml:8: members[1].member: is missing: must be a text",
      'members.yaml:10: members[2].member: "bob" is the name of members[0] (line 6) already; names must differ',
      "members.yaml:12: members[2].maxCPUm: 50 is below defaultCPUm (100), so that no container would fit (member 'bob')",
      'members.yaml:13: members[3].member: "kube-dora" is one of Kubernetes\' own namespaces; choose another name',
      "members.yaml:15: members[3].expires: \"31.12.2026\" must be a date, such as 2026-12-31 (member 'kube-dora')",
      "members.yaml:18: members[4].maxMemoryMiB: \"1Gi\" must be a number of MiB (member 'erin')",
      "members.yaml:24: members[5].route.path: \"camp.example.org/erin/fay\" lies within the path of members[4] (erin, line 16); paths must be apart (member 'fay')",
      "members.yaml:27: members[5].groups[1]: \"class-a\" is listed twice; keep one (member 'fay')",
    ]);
  });

  it("tells a mistake in a number with the figures that stand in the file", () => {
    const number = (figures: string) =>
      `{ member: bob, type: user, subject: ${figures}, labels: { n: &n ${figures} }, groups: [*n] }`;
    const reported = (at: string, figures: string) =>
      ["subject", "labels.n", "groups[0]"].map(
        (key) => `${at}: members[0].${key}: ${figures} must be a text (member 'bob')`,
      );
    for (const figures of ["2.02312E+11", "12345678901234567890", "0x10"]) {
      assert.deepEqual(lines(withFile, `- ${number(figures)}\n`), reported("members.yaml:1", figures));
      const inStack = `config:\n  kubecamp:route: { host: camp.example.org, controller: ingress-nginx }\n  members: [${number(figures)}]\n`;
      assert.deepEqual(lines(inStack), reported("Pulumi.dev.yaml:3", figures));
    }
  });

  it("tells nothing as missing from a file that is no YAML", () => {
    const noYaml = "is no YAML: Flow sequence in block collection must be sufficiently indented and end with a ]";
    assert.deepEqual(lines("config:\n  kubecamp:route: [\n"), [`Pulumi.dev.yaml:3: ${noYaml}`]);
    assert.deepEqual(lines(`${withFile}  kubecamp:capcity: {}\n`, "- member: [\n"), [
      "Pulumi.dev.yaml:6: capcity: is no setting here; did you mean 'capacity'?",
      `members.yaml:2: ${noYaml}`,
    ]);
  });

  it("says that there are two lists of members, and looks at the stack's own", () => {
    assert.deepEqual(lines(`${withFile}  kubecamp:members:\n    - member: bob\n`, "- member: dora\n"), [
      "Pulumi.dev.yaml:5: membersFile: is set beside members; keep one of the two",
      "Pulumi.dev.yaml:7: members[0].type: is missing: must be one of admin, user, guest-user (member 'bob')",
    ]);
  });

  it("takes keys without the project's name, and keys of other namespaces", () => {
    const others = "  route: { host: camp.example.org, controller: traefik }\n  aws:region: eu-central-1\n";
    assert.deepEqual(names(`config:\n${others}  kubecamp:members: [{ member: bob, type: user }]\n`), ["bob"]);
    assert.deepEqual(lines("config:\n  rout: { host: camp.example.org }\n  members: []\n"), [
      noRoute(1),
      "Pulumi.dev.yaml:2: rout: is no setting here; did you mean 'route'?",
    ]);
    assert.deepEqual(
      lines(
        "config:\n  kubecamp:route: { host: a.example.org, controller: traefik }\n  members: []\n  route: { host: b.example.org }\n",
      ),
      ["Pulumi.dev.yaml:4: route: stands here with 'kubecamp:' before it as well; keep one"],
    );
  });

  const below = "is not below 'config:', where Pulumi reads it: move it there";

  it("says where settings stand that Pulumi does not read, and then not what is missing", () => {
    for (const text of ["config:\n", "encryptionsalt: v1:abc\n"]) {
      assert.deepEqual(lines(`${text}kubecamp:route:\n  host: camp.example.org\n`), [
        `Pulumi.dev.yaml:2: kubecamp:route: ${below}`,
      ]);
    }
    assert.deepEqual(lines("kubecamp:\n  members: []\nconfig:\n  kubecamp:members: []\n"), [
      `Pulumi.dev.yaml:1: kubecamp: ${below}`,
      noRoute(3),
    ]);
  });

  it("says that Pulumi has no map of a project's settings", () => {
    assert.deepEqual(lines("config:\n  kubecamp:members: []\n  kubecamp:\n    route: { host: camp.example.org }\n"), [
      noRoute(1),
      "Pulumi.dev.yaml:3: kubecamp: must not be a map of its own: write each setting below 'config:' with its prefix, as 'kubecamp:members:'",
    ]);
    const number = lines(
      "config:\n  kubecamp:members: []\n  kubecamp:route: { host: a.example.org, controller: ingress-nginx }\n  kubecamp: 1\n",
    );
    assert.deepEqual(number, ["Pulumi.dev.yaml:4: kubecamp: is no setting here"]);
  });

  it("takes what is encrypted in a file for right", () => {
    assert.deepEqual(
      lines(`config:
  kubecamp:route:
    host: { secure: v1:abc }
    controller: { secure: v1:abc }
  kubecamp:membersFile: { secure: v1:abc }
`),
      [],
    );
    assert.deepEqual(
      lines(`config:
  kubecamp:route: { host: camp.example.org, controller: ingress-nginx }
  kubecamp:oidc: { secure: v1:abc }
  kubecamp:members:
    - { member: bob, type: user, subject: { secure: v1:abc }, maxCPUm: { secure: v1:abc } }
    - { member: dora, type: { secure: v1:abc }, maxCPU: 1 }
`),
      ["Pulumi.dev.yaml:6: members[1].maxCPU: is no setting here; did you mean 'maxCPUm'? (member 'dora')"],
    );
    assert.deepEqual(
      lines(`config:
  kubecamp:route: { secure: v1:abc }
  kubecamp:network: { ingressPodLabels: { secure: v1:abc } }
  kubecamp:memberTypes: { secure: v1:abc }
  kubecamp:members: [{ member: bob, type: student }]
`),
      [],
    );
  });
});
