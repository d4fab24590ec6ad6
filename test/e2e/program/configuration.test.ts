import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { repository } from "../../../sandbox/paths.ts";
import { everything, guardsOf, inventory, type LiveObject, nameOf } from "./inventory.ts";
import { refused } from "./refused.ts";
import { useStack } from "./stack.ts";

const mistakes = `- member: bob
  type: usr
- type: user
  subject: someone@example.org
- member: bob
  type: user
  maxCPUm: 50
- member: kube-dora
  type: user
  expires: 31.12.2026
- member: erin
  type: guest-user
  maxMemoryMiB: 1Gi
  subject: bob
- member: fay
  type: user
  route:
    path: /erin/fay
  groups: [class-a, class-a]
  home: edti
`;

describe("a project with a members file", function () {
  this.timeout(120_000);
  const stack = useStack("configured");
  const writeMembers = (text: string) => writeFile(join(stack.folder, "members.yaml"), text);

  before(async () => {
    await stack.makeProject();
    await stack.write(`config:
  kubecamp:route:
    host: camp.test
  kubecamp:membersFile: members.yaml
`);
    await writeMembers("- { member: bob, type: user }\n");
    const run = await stack.run(["up", "--yes", "--skip-preview"], {}, stack.folder);
    assert.equal(run.exitCode, 0, run.output);
  });

  it("is told twelve different mistakes in twelve lines of their files, by preview and up, and nothing is touched", async () => {
    await writeMembers(mistakes);
    await stack.write(`config:
  kubecamp:route:
    host: camp.test
    clasName: nginx
  kubecamp:membersFile: members.yaml
`);
    for (const output of await refused(stack, [], { cwd: stack.folder })) {
      // The progress shows the first line as well, the diagnostics all of them.
      const told =
        output
          .split("has 12 mistakes; nothing has been touched.\n")
          .at(-1)
          ?.split(/\n *Mend /)[0] ?? "";
      assert.deepEqual(
        told.split("\n").map((line) => line.trim()),
        [
          "Pulumi.configured.yaml:4: route.clasName: is no setting here; did you mean 'className'?",
          "members.yaml:2: members[0].type: \"usr\" is no member type; did you mean 'user'? (admin, user, guest-user) (member 'bob')",
          "members.yaml:3: members[1].member: is missing: must be a text",
          'members.yaml:5: members[2].member: "bob" is the name of members[0] (line 1) already; names must differ',
          "members.yaml:7: members[2].maxCPUm: 50 is below defaultCPUm (100), so that no container would fit (member 'bob')",
          'members.yaml:8: members[3].member: "kube-dora" is one of Kubernetes\' own namespaces; choose another name',
          "members.yaml:10: members[3].expires: \"31.12.2026\" must be a date, such as 2026-12-31 (member 'kube-dora')",
          "members.yaml:13: members[4].maxMemoryMiB: \"1Gi\" must be a number of MiB (member 'erin')",
          "members.yaml:14: members[4].subject: \"bob\" signs in as members[0] (bob, line 1) already; subjects must differ (member 'erin')",
          "members.yaml:18: members[5].route.path: \"camp.test/erin/fay\" lies within the path of members[4] (erin, line 11); paths must be apart (member 'fay')",
          "members.yaml:19: members[5].groups[1]: \"class-a\" stands here twice; keep one (member 'fay')",
          "members.yaml:20: members[5].home: \"edti\" must be one of edit, view; did you mean 'edit'? (member 'fay')",
        ],
      );
      assert.match(output, /Mend Pulumi\.configured\.yaml and members\.yaml, then run again\./);
    }
  });

  it("is told of a members file that is not there, and nobody is removed", async () => {
    await stack.write(`config:
  kubecamp:route: { host: camp.test }
  kubecamp:membersFile: memebers.yaml
`);
    const told = 'Pulumi.configured.yaml:3: membersFile: "memebers.yaml" does not exist; give its path relative to the';
    await refused(stack, [told], { cwd: stack.folder });
  });

  it("shows nothing that Pulumi encrypts, and still tells the line", async () => {
    const secret = ["--secret", "--path", "kubecamp:members[0].subject", "very-secret ", "--stack", stack.name];
    await stack.write("config:\n  kubecamp:route: { host: camp.test }\n");
    for (const args of [secret, ["--path", "kubecamp:members[0].member", "bob", "--stack", stack.name]]) {
      const { exitCode, stderr } = await stack.manage("config", "set", ...args);
      assert.equal(exitCode, 0, stderr);
    }
    for (const output of await refused(
      stack,
      ["members[0].type: is missing: must be one of admin, user, guest-user (member 'bob')"],
      {
        cwd: stack.folder,
      },
    )) {
      assert.match(output, /Pulumi\.configured\.yaml:\d+: members\[0\]\.subject: \[secret\] must be one line/);
      assert.doesNotMatch(output, /very-secret/);
    }
  });
});

/** As the Members operator documents it, for all to see and with every figure. */
const sample = `apiVersion: crds.yadiary.net/v1
kind: Members
metadata:
  name: members-sample
spec:
  members:
    - member: yasu
      type: admin
      maxCPUm: 500
      maxMemoryMiB: 500
      defaultCPUm: 100
      defaultMemoryMB: 100
      numOfPVCs: 5
      maxPVCSizeMiB: 1000
`;

describe("the operator's own sample as a members file", function () {
  this.timeout(120_000);
  const stack = useStack("sample");
  let before: string[];
  const made = async (): Promise<Map<string, LiveObject>> => {
    const objects = await everything(stack.sandbox);
    return new Map(
      objects.filter((object) => !before.includes(nameOf(object))).map((object) => [nameOf(object), object]),
    );
  };
  const specOf = (objects: ReadonlyMap<string, LiveObject>, name: string) => {
    const object = objects.get(name);
    assert.ok(object, `${name} is not there`);
    return object.spec;
  };

  /** What the namespace's controllers put there, and not we. */
  const home = [
    "ConfigMap yasu/kube-root-ca.crt",
    "Namespace yasu",
    "LimitRange yasu/default-limits",
    "NetworkPolicy yasu/isolation",
    "Role yasu/kubecamp-edit",
    "RoleBinding yasu/kubecamp-edit",
    "ServiceAccount yasu/default",
    "ClusterRole kubecamp:sample:view",
    "ClusterRole kubecamp:sample:view-guest",
    "ClusterRoleBinding kubecamp:sample:yasu:view",
    ...guardsOf("sample"),
  ];

  it("gives the environment that the operator gave, without a quota for an admin", async () => {
    before = await inventory(stack.sandbox);
    const file = join(stack.folder, "sample.yaml");
    await writeFile(file, sample);
    await stack.write(`config:
  kubecamp:route: { host: camp.test }
  kubecamp:membersFile: ${relative(repository, file)}
`);
    await stack.upFine();
    const objects = await made();
    assert.deepEqual([...objects.keys()].sort(), home.toSorted());
    assert.deepEqual(specOf(objects, "LimitRange yasu/default-limits"), {
      limits: [
        {
          type: "Container",
          default: { cpu: "100m", memory: "100Mi", "ephemeral-storage": "1000Mi" },
          defaultRequest: { cpu: "100m", memory: "100Mi", "ephemeral-storage": "0" },
        },
        { type: "PersistentVolumeClaim", max: { storage: "1000Mi" } },
      ],
    });
  });

  it("gives the path once the member's Service is there", async () => {
    await stack.kubectl("create", "service", "clusterip", "yasu-svc", "--tcp=80:8080", "-n", "yasu");
    await stack.upFine();
    const objects = await made();
    const route = ["Ingress ingress-nginx/yasu", "Service ingress-nginx/yasu-svc"];
    assert.deepEqual([...objects.keys()].sort(), [...home, ...route, "Service yasu/yasu-svc"].sort());
    assert.deepEqual(specOf(objects, "Ingress ingress-nginx/yasu"), {
      ingressClassName: "nginx",
      rules: [
        {
          host: "camp.test",
          http: {
            paths: [
              { path: "/yasu", pathType: "Prefix", backend: { service: { name: "yasu-svc", port: { number: 80 } } } },
            ],
          },
        },
      ],
    });
    assert.equal(
      await stack.kubectl("get", "service", "yasu-svc", "-n", "ingress-nginx", "-o", "jsonpath={.spec.externalName}"),
      "yasu-svc.yasu.svc.cluster.local.",
    );
  });
});
