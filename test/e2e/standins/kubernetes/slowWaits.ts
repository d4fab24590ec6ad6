/**
 * Two things that the official plugin takes a minute for. They start with the first suite, run beside the others and are
 * judged where they belong. `npm test` has other suites after these, so that the minute is filled; and it has those that compare
 * what is on the whole cluster before them.
 */
import { atEnd } from "../../support/atEnd.ts";
import { fakeApi } from "./fakeApi.ts";
import { configMap, quota } from "./objects.ts";
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
    missingNamespace: createWithoutNamespace(kubeconfig),
    quotaWithoutController: createQuotaWithoutController(),
  };
  // Each is judged by a test of its own; until then, nobody else should.
  for (const wait of Object.values(waits)) wait.catch(() => {});
  return waits;
}

atEnd(async () => {
  await Promise.all(cleanUps.map((cleanUp) => cleanUp()));
});

async function createWithoutNamespace(kubeconfig: string): Promise<SlowWait> {
  const plugin = await startPlugin(kubeconfig);
  const inputs = configMap("standin-nowhere", "x");
  return await inTime(() => plugin.create("urn:pulumi:rec::rec::kubernetes:core/v1:ConfigMap::nons", inputs));
}

async function createQuotaWithoutController(): Promise<SlowWait> {
  const api = await fakeApi();
  cleanUps.push(async () => api.close());
  const plugin = await startPlugin(api.kubeconfig);
  const inputs = quota("any", "quota", { pods: "1" });
  const timeout = 5;
  return await inTime(() =>
    plugin.create("urn:pulumi:stack::project::kubernetes:core/v1:ResourceQuota::quota", inputs, { timeout }),
  );
}

async function startPlugin(kubeconfig: string): Promise<Plugin> {
  const plugin = await Plugin.start();
  cleanUps.push(() => plugin.stop());
  await plugin.configure({ kubeconfig });
  return plugin;
}

async function inTime(work: () => Promise<unknown>): Promise<SlowWait> {
  const start = performance.now();
  const failure = await failureOf(work());
  return { failure, seconds: Math.round((performance.now() - start) / 1000) };
}
