import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { clusterOf } from "../../../scaffold/sandbox/sandbox.ts";
import type { TestStack } from "./stack.ts";

/** Makes what a member would run: a Deployment whose containers have the limits, or those of the LimitRange. */
export async function deploy(
  stack: TestStack,
  namespace: string,
  replicas: number,
  limits: Readonly<Record<string, string>> = {},
): Promise<void> {
  const labels = { app: "web" };
  await quotasInForce(stack, namespace);
  await apply(stack, {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "web", image: "web", resources: { limits } }] },
      },
    },
  });
  await rolledOut(stack, namespace);
}

/** A volume, and the claim `data` of a namespace, which have each other. */
export const boundVolume = (name: string, namespace: string): readonly object[] => [
  {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name },
    spec: {
      capacity: { storage: "100Mi" },
      accessModes: ["ReadWriteOnce"],
      persistentVolumeReclaimPolicy: "Delete",
      hostPath: { path: `/tmp/${name}` },
      claimRef: { namespace, name: "data" },
    },
  },
  {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: "data", namespace },
    spec: {
      accessModes: ["ReadWriteOnce"],
      storageClassName: "",
      volumeName: name,
      resources: { requests: { storage: "100Mi" } },
    },
  },
];

/**
 * Makes a member's namespace as an up leaves it that was interrupted right after, and their Service in it: the first up
 * that is not interrupted finds that there, and opens their path.
 * @param spec of the Service; by default it leads from port 80 to 8080 of pods that nobody has made
 */
export async function served(stack: TestStack, member: string, spec: object = {}): Promise<void> {
  const labels = {
    "app.kubernetes.io/managed-by": "kubecamp",
    "kubecamp.dev/member": member,
    "kubecamp.dev/stack": stack.name,
  };
  const name = `${member}-svc`;
  const items = [
    { apiVersion: "v1", kind: "Namespace", metadata: { name: member, labels } },
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name, namespace: member },
      spec: { selector: { app: name }, ports: [{ name: "http", port: 80, targetPort: 8080 }], ...spec },
    },
  ];
  const input = JSON.stringify({ apiVersion: "v1", kind: "List", items });
  const { exitCode, stderr } = await stack.sandbox.kubectl(["create", "-f", "-"], { input });
  assert.equal(exitCode, 0, stderr);
}

/** Makes the Service that a member's path leads to. */
export async function makeService(stack: TestStack, member: string, tcp = "80:8080"): Promise<void> {
  await stack.kubectl("create", "service", "clusterip", `${member}-svc`, `--tcp=${tcp}`, "-n", member);
}

/**
 * Waits until a Deployment has all its pods, and tells what is in their way where that takes too long. What stands in for the
 * kubelets tries each pod once, as it sees it change: one that it could not start then, it starts at the next change.
 */
export async function rolledOut(stack: TestStack, namespace: string): Promise<void> {
  const status = ["rollout", "status", "deployment/web", "-n", namespace];
  const first = await stack.sandbox.kubectl([...status, "--timeout=20s"]);
  if (first.exitCode === 0) return;
  await stack.kubectl("annotate", "pods", "--all", "-n", namespace, `kubecamp.test/again=${Date.now()}`);
  const second = await stack.sandbox.kubectl([...status, "--timeout=70s"]);
  if (second.exitCode !== 0) {
    const found = await stack.kubectl("get", "replicasets,pods,resourcequotas,events", "-n", namespace, "-o", "yaml");
    assert.fail(`${found}\n${second.stderr}\n${await kubeletLog(stack)}`);
  }
}

/** The last lines of what stands in for the nodes' kubelets: once that is gone, pods stay pending, and nothing else tells why. */
async function kubeletLog({ sandbox: { sandbox, tools } }: TestStack): Promise<string> {
  const { folder, name } = clusterOf(sandbox, tools);
  const log = await readFile(join(folder, "clusters", name, "logs", "kwok-controller.log"), "utf8");
  return log.split("\n").slice(-100).join("\n");
}

/** A pod that is tried before its quota is in force is refused, and its controller waits longer before each further try. */
export async function quotasInForce(stack: TestStack, namespace: string): Promise<void> {
  const format = "jsonpath={range .items[*]}{.spec.hard}={.status.hard}{'\\n'}{end}";
  await until(async () => {
    const quotas = await stack.kubectl("get", "resourcequotas", "-n", namespace, "-o", format);
    return quotas.split("\n").every((quota) => !quota.endsWith("="));
  });
}

export async function apply(stack: TestStack, ...items: readonly object[]): Promise<void> {
  const input = JSON.stringify({ apiVersion: "v1", kind: "List", items });
  const { exitCode, stderr } = await stack.sandbox.kubectl(["apply", "-f", "-"], { input });
  assert.equal(exitCode, 0, stderr);
}

/** UIDs of the pods in a namespace that have not finished. */
export async function livingPods(stack: TestStack, namespace: string): Promise<string[]> {
  const unfinished = "--field-selector=status.phase!=Succeeded,status.phase!=Failed";
  const uids = await stack.kubectl(
    "get",
    "pods",
    "-n",
    namespace,
    unfinished,
    "-o",
    "jsonpath={.items[*].metadata.uid}",
  );
  return uids
    .split(" ")
    .filter((uid) => uid !== "")
    .sort();
}

/** Waits for what the controllers bring about; the suite's timeout says when that is never. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) {
    await setTimeout(200);
  }
}
