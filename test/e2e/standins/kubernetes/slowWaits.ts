/**
 * Two things that the official plugin takes a minute for. They start with the first suite, run beside the others and are
 * judged where they belong.
 */
import { fakeApi } from "./fakeApi.ts";
import { type Failure, failureOf, Plugin } from "./plugin.ts";

interface SlowWait {
  failure: Failure;
  seconds: number;
}
interface SlowWaits {
  missingNamespace: Promise<SlowWait>;
  quotaWithoutController: Promise<SlowWait>;
}

let waits: SlowWaits | undefined;
const cleanUps: (() => Promise<void>)[] = [];

export function startSlowWaits(kubeconfig: string): SlowWaits {
  waits ??= {
    missingNamespace: inTime(() => createWithoutNamespace(kubeconfig)),
    quotaWithoutController: inTime(createQuotaWithoutController),
  };
  return waits;
}

after(async () => {
  await Promise.all(cleanUps.map((cleanUp) => cleanUp()));
});

async function createWithoutNamespace(kubeconfig: string): Promise<Failure> {
  const plugin = await startPlugin(kubeconfig);
  return await failureOf(
    plugin.create("urn:pulumi:rec::rec::kubernetes:core/v1:ConfigMap::nons", {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "x", namespace: "standin-nowhere" },
      data: { a: "b" },
    }),
  );
}

async function createQuotaWithoutController(): Promise<Failure> {
  const api = await fakeApi();
  cleanUps.push(async () => api.close());
  const plugin = await startPlugin(api.kubeconfig);
  return await failureOf(
    plugin.create("urn:pulumi:stack::project::kubernetes:core/v1:ResourceQuota::quota", {
      apiVersion: "v1",
      kind: "ResourceQuota",
      metadata: { name: "quota", namespace: "any", annotations: { "pulumi.com/timeoutSeconds": "5" } },
      spec: { hard: { pods: "1" } },
    }),
  );
}

async function startPlugin(kubeconfig: string): Promise<Plugin> {
  const plugin = await Plugin.start();
  cleanUps.push(() => plugin.stop());
  await plugin.configure({ kubeconfig });
  return plugin;
}

function inTime(work: () => Promise<Failure>): Promise<SlowWait> {
  const start = performance.now();
  const wait = work().then((failure) => ({ failure, seconds: Math.round((performance.now() - start) / 1000) }));
  wait.catch(() => {});
  return wait;
}
