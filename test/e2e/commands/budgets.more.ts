import assert from "node:assert/strict";
import type { V1ResourceQuota } from "@kubernetes/client-node";
import { refusedInProcess, warningsOf } from "../program/inProcess.ts";
import { type Entry, useStack } from "../program/stack.ts";
import { deploy, until } from "../program/workloads.ts";
import { kubecamp } from "./kubecamp.ts";

const cs101 = { labels: { course: "cs101" } };
const ada = (more: object = {}): Entry => ({ member: "ada", type: "user", maxCPUm: 1000, ...cs101, ...more });
const rest: readonly Entry[] = [
  { member: "bob", type: "user", ...cs101 },
  { member: "cyd", type: "user", labels: { course: "cs102" } },
  { member: "eve", type: "user", maxCPUm: 900 },
  { member: "kit", type: "admin", ...cs101 },
];
const budget = (maxCPUm: number, more: object = {}) => ({
  budgets: [{ name: "cs101", over: cs101, maxCPUm, ...more }],
});

const title = "Budgets, and what is left of them:";
const left = "cs101: 2 members (1 without a quota doesn't count); maxCPUm 1500 of 2000, 500 left (ada 1000, bob 500)";
const exceeded =
  `budgets[0]: the quotas of 2 members exceed budget "cs101": maxCPUm 1500 of 1400, 100 too much (ada 1000, bob 500), and ` +
  "storageMiB 10000 of 9000, 1000 too much (ada 5000, bob 5000); raise the budget, lower their limits, or remove members from it";

describe("budgets", () => {
  const stack = useStack("budgets");
  const command = (...args: string[]) => kubecamp(args, { cwd: stack.folder, env: stack.sandbox.env });
  const quotaOf = async (namespace: string) =>
    (await stack.sandbox.get<V1ResourceQuota>("resourcequota", "quota", namespace)).status;
  const allMembers = [ada(), ...rest];
  before(async () => {
    await stack.makeProject();
    await stack.configure(allMembers, budget(2000));
  });

  it("are told by a preview and an up, with what is left", async () => {
    const { output } = await stack.upPreviewed();
    const parts = output.split(/^Updating \(/m);
    assert.equal(parts.length, 2, output);
    for (const part of parts) {
      assert.ok(part.includes(`[budgets] ${title}`) && part.includes(left), part);
    }
    assert.doesNotMatch(output, /warning: \[budget/);
  });

  it("stop a run that gives their members more, and touch nothing", async () => {
    await stack.configure(allMembers, budget(1400, { storageMiB: 9000, maxMemoryMiB: 1000 }));
    await refusedInProcess(stack, [exceeded]);
    const check = await command("members", "check");
    assert.equal(check.exitCode, 1);
    assert.ok(check.stdout.includes(`: ${exceeded}\n`), check.stdout);
  });

  describe("of members who use something", () => {
    before(async () => {
      await stack.configure(allMembers, budget(2000));
      await deploy(stack, "ada", 2, { cpu: "400m", memory: "100Mi" });
      await deploy(stack, "bob", 1, { cpu: "300m", memory: "50Mi" });
      for (const [namespace, used] of [
        ["ada", "800m"],
        ["bob", "300m"],
      ] as const) {
        await until(async () => (await quotaOf(namespace))?.used?.["limits.cpu"] === used);
      }
    });

    it("are summed up by label and by type", async () => {
      assert.deepEqual(await command("members", "--by", "course"), {
        exitCode: 0,
        stderr: "",
        stdout: `COURSE  MEMBERS  NO QUOTA  CPU          MEMORY        STORAGE
cs101   3        1         1100m/1500m  250Mi/1000Mi  0/10000Mi
cs102   1        0         0/500m       0/500Mi       0/5000Mi
(none)  1        0         0/900m       0/500Mi       0/5000Mi`,
      });
      const byType = await command("members", "--by", "type", "--stack", "budgets", "-o", "json");
      const quota = { used: "1100m", hard: "2900m", usedMillicores: 1100, hardMillicores: 2900 };
      assert.deepEqual(
        (JSON.parse(byType.stdout) as Record<string, unknown>[]).map(
          ({ label, value, members, withoutQuota, cpu }) => ({
            label,
            value,
            members,
            withoutQuota,
            cpu,
          }),
        ),
        [
          { label: "type", value: "admin", members: 1, withoutQuota: 1, cpu: null },
          { label: "type", value: "user", members: 4, withoutQuota: 0, cpu: quota },
        ],
      );
    });

    it("warn if they are below that, which runs on and gets no new pods", async () => {
      await stack.configure([ada({ maxCPUm: 500 }), ...rest], budget(1000));
      const warning =
        "budget 'cs101': maxCPUm 1000 is below what its members use now, 1100 (ada 800, bob 300); " +
        "what runs goes on, and full quotas refuse new pods";
      assert.ok((await warningsOf(stack)).includes(warning));
      const up = await stack.upFine();
      assert.ok(up.output.includes(`[budgetExceeded] ${warning}`), up.output);
      await until(async () => (await quotaOf("ada"))?.hard?.["limits.cpu"] === "500m");
      const headers = { "content-type": "application/json" };
      const pod = { metadata: { name: "more" }, spec: { containers: [{ name: "web", image: "web" }] } };
      const body = JSON.stringify(pod);
      const refused = await stack.sandbox.ask("POST", "/api/v1/namespaces/ada/pods", { headers, body });
      assert.equal(refused.code, 403);
      assert.match(refused.body, /exceeded quota: quota, requested: .*limits.cpu=100m,.* used: .*limits.cpu=800m/);
      assert.equal((await stack.sandbox.names("pod", { namespace: "ada" })).length, 2);
    });
  });
});
