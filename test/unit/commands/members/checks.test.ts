import assert from "node:assert/strict";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Check, checkFiles } from "../../../../commands/members/checks.ts";
import { today } from "../../samples.ts";
import { project, useFolder } from "../../testFolder.ts";

const host = "  kubecamp:route: { host: camp.test, controller: ingress-nginx }\n";
const members = "- { member: bob, type: user }\n- { member: Carol, type: user }\n";

describe("checking files", () => {
  const folder = useFolder({
    ...project,
    "Pulumi.dev.yaml": `config:\n${host}  kubecamp:members:\n    - { member: bob, type: user, maxCPUs: 5 }\n`,
    "Pulumi.prod.yaml": `config:\n${host}  kubecamp:membersFile: ./lists/members.yaml\n`,
    "lists/members.yaml": members,
  });
  const write = (files: Record<string, string>) => folder.write(files);
  const check = (...files: string[]) => checkFiles(files, folder.path, today);
  /** The lists that were checked, and where the mistakes are. */
  const found = (checks: readonly Check[]) =>
    checks.map(({ file, stack, members, mistakes }) => ({
      list: `${file} of ${stack}`,
      members,
      mistakes: mistakes.map(({ file, line, path }) => `${file}:${line} ${path}`),
    }));
  const ofProd = {
    list: "lists/members.yaml of prod",
    members: 2,
    mistakes: ["lists/members.yaml:2 members[1].member"],
  };
  const ofDev = { list: "Pulumi.dev.yaml of dev", members: 1, mistakes: ["Pulumi.dev.yaml:4 members[0].maxCPUs"] };

  it("takes every stack of the folder's project where none is named", () => {
    assert.deepEqual(found(check()), [ofDev, ofProd]);
  });

  it("warns of what a run would take, and say", () => {
    const login = "    login: { kind: oauth2-proxy, url: http://proxy, signIn: https://camp.test/oauth2/start }\n";
    const route = `  kubecamp:route:\n    host: camp.test\n    controller: ingress-nginx\n    tls: { issuer: camp }\n${login}`;
    write({
      "Pulumi.prod.yaml": `config:\n${route}  kubecamp:membersFile: lists/members.yaml\n`,
      "lists/members.yaml": members.toLowerCase(),
    });
    const [{ mistakes, warnings } = { mistakes: [], warnings: [] }] = check("Pulumi.prod.yaml");
    assert.deepEqual(mistakes, []);
    assert.deepEqual(
      warnings.map(({ file, line, path }) => `${file}:${line} ${path}`),
      ["Pulumi.prod.yaml:5 route.tls.issuer", "Pulumi.prod.yaml:6 route.login"],
    );
  });

  it("warns of staff whose access is over, by the line of the end", () => {
    const staff = "  kubecamp:staff:\n    - group: tas\n      role: view\n      until: 2020-01-01\n";
    write({ "Pulumi.prod.yaml": `config:\n${host}${staff}  kubecamp:members: []\n` });
    const [{ mistakes, warnings } = { mistakes: [], warnings: [] }] = check("Pulumi.prod.yaml");
    const path = "staff[0].until";
    const message = "is over (2020-01-01): remove the entry";
    assert.deepEqual([mistakes, warnings], [[], [{ file: "Pulumi.prod.yaml", line: 6, path, message }]]);
  });

  it("warns of controllers among others' pods, and of an issuer that kubectl can't use", () => {
    const also =
      "    also: { kind: ingress, controller: haproxy, namespace: kube-system, className: haproxy, ingressPodLabels: LABELS }\n";
    const settings = (labels: string, network: string) =>
      `config:\n  kubecamp:route:\n    host: camp.test\n    controller: traefik\n    namespace: kube-system\n${also.replace("LABELS", labels)}` +
      `  kubecamp:network: ${network}\n  kubecamp:oidc: { issuerUrl: "https://accounts.google.com", clientId: camp }\n  kubecamp:members: []\n`;
    const warned = (labels: string, network: string) => {
      write({ "Pulumi.prod.yaml": settings(labels, network) });
      const [{ mistakes, warnings } = { mistakes: [], warnings: [] }] = check("Pulumi.prod.yaml");
      assert.deepEqual(mistakes, []);
      return warnings.map(({ line, path }) => `${line} ${path}`);
    };
    assert.deepEqual(warned("{}", "{}"), ["5 route.namespace", "6 route.also.namespace", "8 oidc.issuerUrl"]);
    assert.deepEqual(warned("{ app: haproxy }", "{ ingressPodLabels: { app: traefik } }"), ["8 oidc.issuerUrl"]);
    assert.deepEqual(warned("{ app: haproxy }", "{ ingressPodLabels: { app: { secure: AAABADhQ } } }"), [
      "8 oidc.issuerUrl",
    ]);
  });

  it("takes the built-in types and settings for a file that no stack names", () => {
    write({ "others.yaml": "- { member: bob, type: user }\n- { member: carol, type: tutor }\n" });
    assert.deepEqual(found(check("others.yaml")), [
      { list: "others.yaml of undefined", members: 2, mistakes: ["others.yaml:2 members[1].type"] },
    ]);
  });

  it("looks at a list that is split once, and at a shard for what is wrong with its own file", () => {
    const prod = `config:\n${host}  kubecamp:shards: 2\n  kubecamp:membersFile: ./lists/members.yaml\n`;
    const shard = "config:\n  kubecamp:shardOf: prod\n";
    write({ "Pulumi.prod.yaml": prod, "Pulumi.prod-0.yaml": shard, "Pulumi.prod-1.yaml": shard });
    assert.deepEqual(found(check()), [ofDev, ofProd]);
    assert.deepEqual(found(check("lists/members.yaml")), [ofProd]);
    assert.deepEqual(found(check("Pulumi.prod-1.yaml")), [{ ...ofProd, list: "lists/members.yaml of prod-1" }]);
    write({ "Pulumi.prod-1.yaml": `${shard}  kubecamp:contact: me\n` });
    assert.deepEqual(
      found(check()).map(({ list, mistakes }) => [list, mistakes]),
      [
        [ofDev.list, ofDev.mistakes],
        [ofProd.list, ofProd.mistakes],
        ["lists/members.yaml of prod-1", ["Pulumi.prod-1.yaml:3 contact", ...ofProd.mistakes]],
      ],
    );
  });

  it("names files from the current folder, and finds their project above them", () => {
    const here = join(folder.path, "lists");
    assert.deepEqual(found(checkFiles(["members.yaml", "../Pulumi.dev.yaml"], here, today)), [
      { list: "members.yaml of prod", members: 2, mistakes: ["members.yaml:2 members[1].member"] },
      { list: "../Pulumi.dev.yaml of dev", members: 1, mistakes: ["../Pulumi.dev.yaml:4 members[0].maxCPUs"] },
    ]);
  });

  it("holds what an environment may add to be right, and nothing else", () => {
    const environment = "environment:\n  - camp/prod\n";
    write({
      "Pulumi.dev.yaml": `${environment}config:\n  kubecamp:members:\n    - { member: bob, type: tutor, maxCPUs: 5 }\n  kubecamp:oidc: { clientId: camp }\n`,
      "Pulumi.prod.yaml": `${environment}config:\n  kubecamp:route: { path: "/x/{member}" }\n  kubecamp:cluter: {}\n`,
      "Pulumi.gateway.yaml": `${environment}config:\n  kubecamp:route: { kind: gateway, className: x }\n`,
      "Pulumi.test.yaml": environment,
    });
    assert.deepEqual(found(check()), [
      { list: "Pulumi.dev.yaml of dev", members: 1, mistakes: ["Pulumi.dev.yaml:5 members[0].maxCPUs"] },
      { list: "Pulumi.gateway.yaml of gateway", members: 0, mistakes: ["Pulumi.gateway.yaml:4 route.className"] },
      { list: "Pulumi.prod.yaml of prod", members: 0, mistakes: ["Pulumi.prod.yaml:5 cluter"] },
      { list: "Pulumi.test.yaml of test", members: 0, mistakes: [] },
    ]);
  });

  it("takes what the project sets for every stack, unless the stack does", () => {
    write({
      "Pulumi.yaml": `name: kubecamp
config:
  kubecamp:route: { type: object, default: { host: camp.test, controller: ingress-nginx } }
  membersFile: nobody.yaml
  defaults: { value: { maxCPU: 1 } }
  kubernetes:context: { value: prod }
  other: { type: string }
`,
      "Pulumi.dev.yaml": "config:\n  kubecamp:membersFile: lists/members.yaml\n",
    });
    rmSync(join(folder.path, "Pulumi.prod.yaml"));
    assert.deepEqual(found(check()), [
      {
        list: "lists/members.yaml of dev",
        members: 2,
        mistakes: [
          "Pulumi.yaml:undefined kubernetes:context",
          "Pulumi.yaml:undefined defaults.maxCPU",
          "lists/members.yaml:2 members[1].member",
        ],
      },
    ]);
  });

  it("a check has the configuration of stacks without mistakes, and knows which adopt", () => {
    write({
      "Pulumi.none.yaml": `config:\n${host}  kubecamp:members: []\n`,
      "Pulumi.all.yaml": `config:\n${host}  kubecamp:members: []\n  kubecamp:offboarding: { graceDays: 30, adopt: true }\n`,
      "Pulumi.far.yaml": `environment: [camp]\nconfig:\n${host}`,
      "lists/members.yaml": "# nobody yet\n",
    });
    assert.deepEqual(
      check().map(({ stack, adopts, isEmpty, configuration }) => {
        return [stack, adopts, isEmpty, configuration?.settings.offboarding.graceDays];
      }),
      [
        ["all", true, true, 30],
        ["dev", false, false, undefined],
        ["far", false, false, undefined],
        ["none", false, true, undefined],
        ["prod", false, true, undefined],
      ],
    );
    assert.deepEqual(
      check().flatMap(({ stack, configuration }) => (configuration === undefined ? [stack] : [])),
      ["dev"],
    );
  });

  it("warns of subjects that look like others, which stop no run", () => {
    const members = "[{ member: eve, type: user, subject: \u0430lice }, { member: alice, type: user }]";
    write({ "Pulumi.test.yaml": `config:\n${host}  kubecamp:members: ${members}\n` });
    const [{ mistakes, warnings } = { mistakes: undefined, warnings: undefined }] = check("Pulumi.test.yaml");
    const where = { file: "Pulumi.test.yaml", path: "members" };
    assert.deepEqual(mistakes, []);
    assert.deepEqual(warnings, [
      { ...where, message: "subject 'oidc:\u0430lice' of eve has U+0430, which only look like ASCII" },
      { ...where, message: "subject 'oidc:alice' of alice looks like 'oidc:\u0430lice' of eve" },
    ]);
  });

  it("tells of a stack's file that can't be read, rather than pass over the stack", () => {
    rmSync(join(folder.path, "Pulumi.dev.yaml"));
    mkdirSync(join(folder.path, "Pulumi.dev.yaml"));
    const [dev] = check();
    assert.deepEqual([dev?.stack, dev?.mistakes.length], ["dev", 1]);
    assert.match(dev?.mistakes[0]?.message ?? "", /^is a folder, not a file;/);
  });

  it("fails for a file that can't be read, and where there is nothing to check", () => {
    assert.throws(() => check("nobody.yaml"), { name: "Problem", message: "Can't read nobody.yaml." });
    assert.throws(() => check("lists"), { name: "Problem", message: "Can't read lists." });
    folder.write({ "latin1.yaml": Buffer.from("- member: bj\u00f6rn\n", "latin1") });
    assert.throws(() => check("latin1.yaml"), { name: "Problem", message: "Can't read latin1.yaml." });
    assert.throws(() => checkFiles([], join(folder.path, "lists"), today), {
      message: "There is no Pulumi project in this folder.",
    });
    rmSync(join(folder.path, "Pulumi.dev.yaml"));
    rmSync(join(folder.path, "Pulumi.prod.yaml"));
    assert.throws(() => check(), { message: "There is nothing to check." });
  });

  it("looks at the folder of starter pages, too", () => {
    const starter = "  kubecamp:starter: { pagesFolder: pages }\n  kubecamp:members: []\n";
    write({ "Pulumi.test.yaml": `config:\n${host}${starter}` });
    const reported = () => found(check("Pulumi.test.yaml")).flatMap(({ mistakes }) => mistakes);
    assert.deepEqual(reported(), ["Pulumi.test.yaml:3 starter.pagesFolder"]);
    write({ "pages/index.md": "# Here" });
    assert.deepEqual(reported(), []);
  });
});
