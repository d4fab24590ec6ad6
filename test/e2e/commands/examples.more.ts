import assert from "node:assert/strict";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { V1ResourceQuota, V1RoleBinding } from "@kubernetes/client-node";
import { parse, stringify } from "yaml";
import { repository } from "../../../sandbox/paths.ts";
import { refusedInProcess } from "../program/inProcess.ts";
import { type Entry, type TestStack, useStack } from "../program/stack.ts";
import { makeNamespace, until } from "../program/workloads.ts";
import { installGatewayApi } from "../support/definitions/gatewayApi.ts";
import { installMiddlewares } from "../support/definitions/traefik.ts";
import { kubecamp } from "./kubecamp.ts";

const examples = join(repository, "docs/examples");
const fileOf = (name: string) => readFile(join(examples, `Pulumi.${name}.yaml`), "utf8");

interface Listed {
  readonly member: string;
  readonly state: string;
}

/** A stack of docs/examples, copied as its page says. */
function useExample(name: string) {
  const stack = useStack(name);
  before(async () => {
    await stack.makeProject();
    await copyFile(join(examples, `members.${name}.yaml`), join(stack.folder, `members.${name}.yaml`));
    await stack.write(await fileOf(name));
  });
  return stack;
}

/**
 * Leaves of the members' file two of those who differ in nothing but their name: they show as much of an up as all do, whom
 * the preview has had.
 */
async function takeTwoOfEach(stack: TestStack): Promise<void> {
  const entries = parse(await readFile(join(examples, `members.${stack.name}.yaml`), "utf8")) as readonly Entry[];
  const alike = Map.groupBy(entries, ({ member: _, ...rest }) => JSON.stringify(rest));
  const taken = [...alike.values()].flatMap((group) => group.slice(0, 2));
  await writeFile(join(stack.folder, `members.${stack.name}.yaml`), stringify(taken));
}

const command = (stack: TestStack, ...args: string[]) => kubecamp(args, { cwd: stack.folder, env: stack.sandbox.env });

async function printed(stack: TestStack, ...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await command(stack, ...args);
  assert.equal(exitCode, 0, `${stdout}\n${stderr}`);
  return stdout;
}

const checked = async (stack: TestStack, members: number) =>
  assert.equal(
    await printed(stack, "members", "check"),
    `members.${stack.name}.yaml (stack ${stack.name}): ${members} members, no mistakes`,
  );

const listed = async (stack: TestStack) =>
  JSON.parse(await printed(stack, "members", "--stack", stack.name, "-o", "json")) as Listed[];

async function fine(stack: TestStack, args: readonly string[]) {
  const run = await stack.run(args, {}, stack.folder);
  assert.equal(run.exitCode, 0, run.output.slice(-3000));
  return run;
}

/** Words of a run's warnings. */
const warningsIn = (output: string) => [
  ...new Set([...output.matchAll(/ {4}warning: ([\w ]+)/g)].map(([, words]) => words)),
];
const preview = (stack: TestStack) => fine(stack, ["preview"]);
const up = (stack: TestStack) => fine(stack, ["up", "--yes", "--skip-preview"]);

describe("the stacks of docs/examples", () => {
  describe("a class of 60", () => {
    const stack = useExample("class");

    it("checks, previews and brings up the example", async () => {
      await checked(stack, 63);
      const left = "maxCPUm 60000 of 64000, 4000 left";
      const { output } = await preview(stack);
      assert.ok(output.includes(`cs101: 60 members; ${left}`), output);
      assert.deepEqual(warningsIn(output), ["3 routes are pending"]);
      await takeTwoOfEach(stack);
      assert.ok((await up(stack)).output.includes("cs101: 2 members; maxCPUm 2000 of 64000, 62000 left"));
      assert.equal((await listed(stack)).length, 5);
      assert.deepEqual((await preview(stack)).steps, []);
    });

    it("keeps students apart, and lets assistants help", async () => {
      const may = (name: string, verb: string, resource: string) =>
        stack.sandbox.may(`oidc:${name}`, verb, resource, "alan");
      for (const [verb, resource] of [
        ["list", "pods"],
        ["create", "pods/exec"],
      ] as const) {
        const all = ["alan", "kit", "ada"].map((name) => may(name, verb, resource));
        assert.deepEqual(await Promise.all(all), [true, true, false], `${verb} ${resource}`);
      }
      assert.equal(await may("kit", "create", "deployments.apps"), false);
    });
  });

  describe("a GPU lab of 8", () => {
    const stack = useExample("gpu-lab");
    let forgetGatewayApi: () => Promise<void>;
    before(async () => {
      forgetGatewayApi = await installGatewayApi(stack.sandbox);
      await makeNamespace(stack, "gateways");
      await stack.sandbox.apply(
        ...["fast", "bulk"].map((name) => ({
          apiVersion: "storage.k8s.io/v1",
          kind: "StorageClass",
          metadata: { name },
          provisioner: "example.org/disk",
        })),
        { apiVersion: "node.k8s.io/v1", kind: "RuntimeClass", metadata: { name: "nvidia" }, handler: "nvidia" },
      );
    });
    after(async () => {
      await forgetGatewayApi();
      await stack.delete("namespace", "gateways");
      await stack.delete("storageclass", "fast");
      await stack.delete("storageclass", "bulk");
      await stack.delete("runtimeclass", "nvidia");
    });

    it("checks, previews and brings up the example", async () => {
      await checked(stack, 8);
      const gpus = "devices nvidia.com/gpu 7 of 8, 1 left (bela 2, ana 1, chiara 1, dov 1, eun 1 and 1 more)";
      const { output } = await fine(stack, ["up", "--yes"]);
      const parts = output.split(/^Updating \(/m);
      assert.equal(parts.length, 2, output);
      for (const part of parts) {
        assert.ok(part.includes(gpus), part);
        assert.ok(part.includes("storage fast (MiB) 1228800 of 2097152, 868352 left (ana 204800, "), part);
      }
      assert.equal((await listed(stack)).length, 8);
      assert.deepEqual((await preview(stack)).steps, []);
    });

    it("sums up GPUs and storage by group", async () => {
      await until(async () => {
        const quotas = await stack.sandbox.list<V1ResourceQuota>("resourcequota");
        return quotas.every(({ status }) => status?.used?.pods === "0");
      });
      const rows = (await printed(stack, "members", "--by", "group")).split("\n").map((row) => row.split(/ {2,}/));
      const [headings = [], ...groups] = rows;
      assert.deepEqual(headings.slice(-2), ["DEVICES", "CLASSES"]);
      assert.deepEqual(
        groups.map((row) => [row[0], ...row.slice(-2)]),
        [
          ["speech", "nvidia.com/gpu 0/3", "bulk 0/3172Gi,fast 0/600Gi"],
          ["vision", "nvidia.com/gpu 0/4", "bulk 0/3172Gi,fast 0/600Gi"],
        ],
      );
    });

    it("refuses a budget of fewer GPUs than members have, and says who has them", async () => {
      await stack.write((await fileOf(stack.name)).replace("nvidia.com/gpu: 8", "nvidia.com/gpu: 6"));
      const refusal = `exceed budget "lab": devices nvidia.com/gpu 7 of 6, 1 too much (bela 2, ana 1, chiara 1, dov 1, eun 1 and 1 more)`;
      await refusedInProcess(stack, [refusal], { folder: stack.folder });
    });
  });

  describe("a company of 200", () => {
    const stack = useExample("company");
    let forgetMiddlewares: () => Promise<void>;
    before(async () => {
      forgetMiddlewares = await installMiddlewares(stack.sandbox);
      await makeNamespace(stack, "traefik");
    });
    after(async () => {
      await forgetMiddlewares();
      await stack.delete("namespace", "traefik");
    });

    it("checks, previews and brings up the example, by 'kubecamp up'", async () => {
      await checked(stack, 200);
      const { output } = await preview(stack);
      assert.ok(output.includes("platform: 17 members (3 without a quota don't count); maxCPUm 15"), output);
      await takeTwoOfEach(stack);
      const result = await printed(stack, "up", "--stack", "company");
      assert.match(result, /Budgets, and what is left of them:\n {2}platform: 4 members/);
      assert.equal((await listed(stack)).length, 24);
      const bindings = await stack.sandbox.list<V1RoleBinding>("rolebinding", { namespace: "adam-berg" });
      const onCall = bindings.map(({ subjects }) => subjects?.[0]?.name);
      assert.deepEqual(onCall.sort(), ["oidc:adam-berg", "oidc:on-call"]);
    });
  });
});
