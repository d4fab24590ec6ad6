import { equal, match, ok, rejects } from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { InitFailed } from "../../../../../buckets/protocol/errors.ts";
import type { Props } from "../../../../../buckets/protocol/values.ts";
import type { Clock } from "../../../../../scaffold/sandbox/standins/kubernetes/clock.ts";
import { create } from "../../../../../scaffold/sandbox/standins/kubernetes/operations/create.ts";
import { openSession, reachableCluster } from "../../../../../scaffold/sandbox/standins/kubernetes/session.ts";
import { parseSettings } from "../../../../../scaffold/sandbox/standins/kubernetes/settings.ts";
import { loadRecordings } from "./replay/recordings.ts";
import { fakeApi } from "./support/fakeApi.ts";
import { configMap, ingress, quota, service } from "./support/objects.ts";
import { urn, useStage } from "./support/stage.ts";

/** One on which all sleep passes at once. */
class SleeplessClock implements Clock {
  #time = 0;

  now(): number {
    return this.#time;
  }

  async sleep(duration: number): Promise<void> {
    this.#time += duration;
  }

  get seconds(): number {
    return this.#time / 1000;
  }
}

const quiet = { say: async () => undefined, status: async () => undefined, close: () => undefined };

/** One on which twenty seconds pass in each. */
const quickClock: Clock = {
  now: () => 20 * performance.now(),
  sleep: async (duration) => await sleep(duration / 20),
};

describe("the stand-in has as much patience as the official plugin", () => {
  const stage = useStage("patience");
  let clock: SleeplessClock;
  let stop: AbortController;

  beforeEach(() => {
    clock = new SleeplessClock();
    stop = new AbortController();
  });
  // The session's watches would go on asking.
  afterEach(() => stop.abort());

  /** As the plugin does once it is configured, by our clock. */
  async function createIn(
    kubeconfig: string,
    type: string,
    properties: Props,
    customTimeout = 0,
    by: Clock = clock,
  ): Promise<void> {
    const config = { "kubernetes:config:kubeconfig": kubeconfig };
    const session = await openSession(parseSettings(config, {}), quiet, stop.signal, by);
    await create(session, { urn: type, properties, preview: false, customTimeout });
  }

  it("with a namespace that does not come: a minute of retries (recorded step 26)", async () => {
    const recorded = loadRecordings()
      .steps.find(({ name }) => name.startsWith("26-"))
      ?.calls.at(-1);
    const type = "urn:pulumi:rec::rec::kubernetes:core/v1:ConfigMap::nons";
    await rejects(createIn(stage().kubeconfig, type, configMap("standin-nowhere", "x")), (error: Error) => {
      equal(error.message, recorded && "error" in recorded ? recorded.error : "");
      ok(!(error instanceof InitFailed));
      return true;
    });
    equal(clock.seconds, 1 + 2 + 4 + 8 + 16 + 32);
  });

  it("with Services without endpoints of their own: none", async function () {
    // One that waits for its endpoints would wait for ever.
    this.timeout(60_000);
    const still: Clock = { now: () => 0, sleep: async () => await sleep(10) };
    const { kubeconfig, namespace } = stage();
    const ports = [{ port: 80 }];
    const specs: Record<string, Props> = {
      external: { type: "ExternalName", externalName: "a.example" },
      headless: { clusterIP: "None", selector: { app: "nobody" }, ports },
      selectorless: { ports },
    };
    for (const [name, spec] of Object.entries(specs)) {
      await createIn(kubeconfig, urn("core/v1:Service", name), service(namespace, name, spec), 0, still);
    }
  });

  it("as customTimeouts say, whatever the annotation says", async () => {
    const { kubeconfig, namespace } = stage();
    const alone = ingress(namespace, "custom", "target", { "pulumi.com/timeoutSeconds": "60" });
    const type = urn("networking.k8s.io/v1:Ingress", "custom");
    await rejects(createIn(kubeconfig, type, alone, 1), InitFailed);
    equal(clock.seconds, 1);
  });

  it("with the limits on its calls", async () => {
    const api = await fakeApi();
    const config = { "kubernetes:config:kubeconfig": api.kubeconfig };
    const limits = { "kubernetes:config:kubeClientSettings": '{"qps":10,"burst":3}' };
    try {
      const session = await openSession(parseSettings({ ...config, ...limits }, {}), quiet, stop.signal, clock);
      // Looking for kinds took two of the burst of three.
      equal(clock.seconds, 0);
      const cluster = reachableCluster(session);
      await Promise.all(Array.from({ length: 6 }, () => cluster.list({ apiVersion: "v1", kind: "ConfigMap" }, "any")));
      equal(clock.seconds, 0.5);
      equal(api.requests.length, 8);
    } finally {
      api.close();
    }
  });

  it("with a Service until its endpoints have been quiet for ten seconds", async () => {
    const { kubeconfig, namespace } = stage();
    const spec = { selector: { app: "nobody" }, ports: [{ port: 80 }] };
    const settles = service(namespace, "settles", spec);
    const start = quickClock.now();
    await createIn(kubeconfig, urn("core/v1:Service", "settles"), settles, 0, quickClock);
    ok(quickClock.now() - start >= 10_000);
  });

  it("with a ResourceQuota without a controller: a minute, whatever time-out it is given", async () => {
    const api = await fakeApi();
    const type = urn("core/v1:ResourceQuota", "quota");
    try {
      await rejects(createIn(api.kubeconfig, type, quota("any", "quota", { pods: "1" }), 5), (error: unknown) => {
        ok(error instanceof InitFailed);
        match(error.message, /"urn:.*::quota" was successfully created, .*Timeout occurred polling for 'quota'/);
        equal(error.id, "any/quota");
        return true;
      });
    } finally {
      api.close();
    }
    equal(clock.seconds, 60);
  });

  it("with what somebody deletes meanwhile: none", async () => {
    const api = await fakeApi();
    const path = "/api/v1/namespaces/any/services";
    let looks = 0;
    const still: Clock = {
      now: () => 0,
      sleep: async () => {
        // The first look may have been a moment before the watch began.
        if (api.requests.some((request) => request.startsWith(`GET ${path}?watch=true`)) && ++looks === 2) {
          api.remove(`${path}/gone`);
        }
        await sleep(1);
      },
    };
    const waits = service("any", "gone", { type: "LoadBalancer" });
    try {
      await rejects(createIn(api.kubeconfig, urn("core/v1:Service", "gone"), waits, 0, still), (error: unknown) => {
        ok(error instanceof InitFailed);
        match(error.message, /"urn:.*::gone" was successfully created, .*: 404/);
        return true;
      });
    } finally {
      api.close();
    }
  });
});
