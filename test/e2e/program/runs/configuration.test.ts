import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { refusalOf, refusedInProcess } from "../inProcess.ts";
import { everything, guardsOf, inventory, type LiveObject, nameOf } from "../inventory.ts";
import { refused } from "../refused.ts";
import { useStack } from "../stack.ts";
import { touchedBy } from "../touched.ts";
import { served } from "../workloads.ts";

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

/** Twelve different ones. */
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

describe("a project with a members file", () => {
  const stack = useStack("configured");
  const writeMembers = (text: string) => writeFile(join(stack.folder, "members.yaml"), text);
  let made: ReadonlyMap<string, LiveObject>;
  const specOf = (name: string) => {
    const object = made.get(name);
    assert.ok(object, `${name} is not there`);
    return object.spec;
  };

  before(async () => {
    const then = await inventory(stack.sandbox);
    await stack.makeProject();
    await stack.write(`config:
  kubecamp:route:
    host: camp.test
  kubecamp:membersFile: members.yaml
`);
    await writeMembers(sample);
    await served(stack, "yasu");
    const run = await stack.run(["up", "--yes", "--skip-preview"], {}, stack.folder);
    assert.equal(run.exitCode, 0, run.output);
    await stack.policiesSeen();
    const objects = await everything(stack.sandbox);
    made = new Map(objects.map((object) => [nameOf(object), object] as const).filter(([name]) => !then.includes(name)));
  });

  it("that is the operator's own sample gives the environment that the operator gave, without a quota for an admin", async () => {
    const home = [
      // The first two are what the namespace's controllers put there, and not we.
      "ConfigMap yasu/kube-root-ca.crt",
      "ServiceAccount yasu/default",
      "Namespace yasu",
      "LimitRange yasu/default-limits",
      "NetworkPolicy yasu/isolation",
      "Role yasu/kubecamp-edit",
      "RoleBinding yasu/kubecamp-edit",
      "ClusterRole kubecamp:configured:view",
      "ClusterRole kubecamp:configured:view-guest",
      "ClusterRoleBinding kubecamp:configured:yasu:view",
      ...guardsOf("configured"),
    ];
    const route = ["Ingress ingress-nginx/yasu", "Service ingress-nginx/yasu-svc", "Service yasu/yasu-svc"];
    assert.deepEqual([...made.keys()].sort(), [...home, ...route].sort());
    assert.deepEqual(specOf("LimitRange yasu/default-limits"), {
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

  it("gives the path to the member's Service", async () => {
    assert.deepEqual(specOf("Ingress ingress-nginx/yasu"), {
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
    const { externalName } = specOf("Service ingress-nginx/yasu-svc") as { externalName?: string };
    assert.equal(externalName, "yasu-svc.yasu.svc.cluster.local.");
  });

  it("is told twelve different mistakes in twelve lines of their files, by preview and up, and nothing is touched", async () => {
    await writeMembers(mistakes);
    await stack.write(`config:
  kubecamp:route:
    host: camp.test
    clasName: nginx
  kubecamp:membersFile: members.yaml
`);
    const refusals: string[] = [];
    const touched = await touchedBy(stack, async () => {
      for (const isPreview of [true, false]) {
        refusals.push(await refusalOf(stack, isPreview, { folder: stack.folder }));
      }
    });
    assert.deepEqual(touched, []);
    for (const refusal of refusals) {
      const [, reported = ""] = /has 12 mistakes; nothing was changed\.\n(.*?)\n *Correct /s.exec(refusal) ?? [];
      assert.deepEqual(
        reported.split("\n").map((line) => line.trim()),
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
          "members.yaml:19: members[5].groups[1]: \"class-a\" is listed twice; keep one (member 'fay')",
          "members.yaml:20: members[5].home: \"edti\" must be one of edit, view; did you mean 'edit'? (member 'fay')",
        ],
      );
      assert.match(refusal, /Correct Pulumi\.configured\.yaml and members\.yaml, then run again\./);
    }
  });

  it("is told of a members file that is not there, and nobody is removed", async () => {
    await stack.write(`config:
  kubecamp:route: { host: camp.test }
  kubecamp:membersFile: memebers.yaml
`);
    await refusedInProcess(
      stack,
      ['Pulumi.configured.yaml:3: membersFile: "memebers.yaml" does not exist; give its path relative to the'],
      { folder: stack.folder },
    );
  });

  it("shows nothing that Pulumi encrypts, and still tells the line", async () => {
    await stack.write("config:\n  kubecamp:route: { host: camp.test }\n");
    const values = [
      "--secret",
      "kubecamp:members[0].subject=very-secret ",
      "--plaintext",
      "kubecamp:members[0].member=bob",
    ];
    const set = await stack.manage("config", "set-all", "--path", ...values, "--stack", stack.name);
    assert.equal(set.exitCode, 0, set.stderr);
    const words = [
      "members[0].type: is missing: must be one of admin, user, guest-user (member 'bob')",
      /Pulumi\.configured\.yaml:\d+: members\[0\]\.subject: \[secret\] must be one line/,
    ];
    for (const output of await refused(stack, words, { cwd: stack.folder })) {
      assert.doesNotMatch(output, /very-secret/);
    }
  });
});
