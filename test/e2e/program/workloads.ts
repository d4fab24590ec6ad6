import assert from "node:assert/strict";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { V1Deployment, V1Pod, V1ResourceQuota } from "@kubernetes/client-node";
import { clusterOf } from "../../../sandbox/sandbox.ts";
import { lastLines } from "../support/lastLines.ts";
import type { LiveObject } from "./inventory.ts";
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
  await stack.sandbox.apply({
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
  await stack.sandbox.create(...items);
}

/** Makes a namespace by hand: nobody's, or with labels as a killed run leaves one. */
export async function makeNamespace({ sandbox }: TestStack, name: string, labels: object = {}): Promise<void> {
  await sandbox.create({ apiVersion: "v1", kind: "Namespace", metadata: { name, labels } });
}

export async function hasNamespace({ sandbox }: TestStack, name: string): Promise<boolean> {
  return (await sandbox.find("namespace", name)) !== undefined;
}

/** Moves the day on which a namespace is removed whose member has left: a run goes by this machine's clock. */
export async function setLeaves({ sandbox }: TestStack, namespace: string, day: string): Promise<void> {
  await sandbox.patch("namespace", namespace, undefined, { metadata: { labels: { "kubecamp.dev/leaves": day } } });
}

/** Objects that are there, each named as `secret/key`; `namespace/bob` is a namespace itself. */
export function objectsNamed(
  { sandbox }: TestStack,
  namespace: string,
  ...names: readonly string[]
): Promise<LiveObject[]> {
  const found = names.map((each) => {
    const [kind = "", name = ""] = each.split("/");
    return sandbox.get<LiveObject>(kind, name, namespace);
  });
  return Promise.all(found);
}

/** The Service that a member's path leads to. */
export function serviceOf(member: string, tcp = "80:8080"): object {
  const name = `${member}-svc`;
  const labels = { app: name };
  const [port = "", targetPort = port] = tcp.split(":");
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name, namespace: member, labels },
    spec: {
      selector: labels,
      ports: [{ name: tcp.replace(":", "-"), port: Number(port), targetPort: Number(targetPort) }],
    },
  };
}

/** Makes the Service that a member's path leads to. */
export async function makeService({ sandbox }: TestStack, member: string, tcp?: string): Promise<void> {
  await sandbox.create(serviceOf(member, tcp));
}

/**
 * Waits until a Deployment has all its pods, and tells what is in their way where that takes too long. What stands in for the
 * kubelets tries each pod once, as it sees it change: one that it could not start then, it starts at the next change.
 */
export async function rolledOut(stack: TestStack, namespace: string, name = "web"): Promise<void> {
  if (await hasRolledOut(stack, namespace, name, 20_000)) {
    return;
  }
  await stack.kubectl("annotate", "pods", "--all", "-n", namespace, `kubecamp.test/again=${Date.now()}`);
  if (!(await hasRolledOut(stack, namespace, name, 70_000))) {
    const found = await stack.kubectl("get", "replicasets,pods,resourcequotas,events", "-n", namespace, "-o", "yaml");
    assert.fail(`${found}\n${await kubeletLog(stack)}`);
  }
}

/** Whether `kubectl rollout status` would say so before a time is over. */
async function hasRolledOut(
  { sandbox }: TestStack,
  namespace: string,
  name: string,
  milliseconds: number,
): Promise<boolean> {
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments/${name}`;
  const deadline = Date.now() + milliseconds;
  for (;;) {
    const { metadata, spec, status } = JSON.parse(await sandbox.read(path)) as V1Deployment;
    const { observedGeneration = 0, replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = status ?? {};
    const isSeen = observedGeneration >= (metadata?.generation ?? 0);
    const isUpdated = updatedReplicas >= (spec?.replicas ?? 1) && replicas <= updatedReplicas;
    if (isSeen && isUpdated && availableReplicas >= updatedReplicas) {
      return true;
    }
    if (Date.now() > deadline) {
      return false;
    }
    await setTimeout(100);
  }
}

/** Of what stands in for the nodes' kubelets: once that is gone, pods stay pending, and nothing else tells why. */
function kubeletLog({ sandbox: { sandbox, tools } }: TestStack): Promise<string> {
  const { folder, name } = clusterOf(sandbox, tools);
  return lastLines(join(folder, "clusters", name, "logs", "kwok-controller.log"), 100);
}

/** A pod that is tried before its quota is in force is refused, and its controller waits longer before each further try. */
export async function quotasInForce(stack: TestStack, namespace: string): Promise<void> {
  await until(async () => {
    const quotas = await stack.sandbox.list<V1ResourceQuota>("resourcequota", { namespace });
    return quotas.every(({ status }) => status?.hard !== undefined);
  });
}

/** UIDs of the pods in a namespace that have not finished. */
export async function livingPods(stack: TestStack, namespace: string): Promise<string[]> {
  const fieldSelector = "status.phase!=Succeeded,status.phase!=Failed";
  const pods = await stack.sandbox.list<V1Pod>("pod", { namespace, fieldSelector });
  return pods.map(({ metadata }) => metadata?.uid ?? "").sort();
}

/** Sets the number of a Deployment's pods. */
export async function scale({ sandbox }: TestStack, namespace: string, replicas: number, name = "web"): Promise<void> {
  await sandbox.patch("deployment", name, namespace, { spec: { replicas } });
}

/** Waits for what the controllers bring about; the suite's timeout says when that is never. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) {
    await setTimeout(200);
  }
}
