import assert from "node:assert/strict";
import type { V1Namespace, V1ResourceQuota } from "@kubernetes/client-node";
import { execa } from "execa";
import { repository } from "../../../../sandbox/paths.ts";
import { ApiProxy } from "../../support/cluster/apiProxy.ts";
import { ownProcesses } from "../../support/engine/pluginRelay.ts";
import { HeldClock } from "../../support/heldClock.ts";
import { type Entry, useStack } from "../stack.ts";
import { deploy, livingPods, scale, until } from "../workloads.ts";

const [gus, ivy] = ["gus", "ivy"].map((member): Entry => ({ member, type: "user" })) as [Entry, Entry];
/** Without a quota. */
const hal: Entry = { member: "hal", type: "admin" };
const suspended = { suspended: true };
/** From the first run on: a run keeps entries for a grace. */
const grace = { offboarding: { graceDays: 30 } };
const up = ["up", "--yes", "--skip-preview"];

describe("an up that ends in between", () => {
  const stack = useStack("cut");
  const proxy = new ApiProxy();
  let proxied: Record<string, string>;
  const pods = (namespace: string) => livingPods(stack, namespace);
  const home = async (name: string) => (await stack.sandbox.get<V1Namespace>("namespace", name)).metadata;

  before(async () => {
    proxied = await stack.behind(proxy);
    await stack.configure([gus, hal, ivy], grace);
    await stack.upFine();
    await Promise.all(["gus", "hal", "ivy"].map((name) => deploy(stack, name, 1)));
  });
  after(() => proxy.stop());

  /** Starts an up through the proxy, which kills it by one of its hooks. */
  async function killed(
    hooksOf: (kill: () => Promise<unknown>) => ApiProxy["hooks"],
    env: Record<string, string> = {},
  ): Promise<void> {
    const child = execa("pulumi", [...stack.flags(up), "--non-interactive"], {
      cwd: repository,
      env: { ...stack.sandbox.env, ...ownProcesses, ...proxied, ...env },
      reject: false,
    });
    proxy.hooks = hooksOf(async () => {
      child.kill("SIGKILL");
      await child;
    });
    const { signal, stdout } = await child;
    proxy.hooks = {};
    assert.equal(signal, "SIGKILL", stdout);
    await stack.backend.unlock(stack.name);
  }

  it("ends access at once where a suspended member's pods can't be stopped before the next up", async () => {
    await stack.configure([gus, { ...hal, ...suspended }, ivy], grace);
    const running = await pods("hal");
    proxy.hooks = {
      before: async ({ method, url }) =>
        method === "DELETE" && url.pathname.startsWith("/api/v1/namespaces/hal/pods")
          ? {
              status: 403,
              headers: { "Content-Type": "application/json" },
              body: '{"kind":"Status","message":"not now"}',
            }
          : undefined,
    };
    const { exitCode, output } = await stack.run(up, proxied);
    proxy.hooks = {};
    assert.notEqual(exitCode, 0);
    assert.match(output, /Can't stop the pods of member 'hal'/);
    const { spec } = await stack.sandbox.get<V1ResourceQuota>("resourcequota", "quota", "hal");
    assert.deepEqual([spec?.hard?.pods, await pods("hal")], ["0", running]);
    assert.equal(await stack.sandbox.may("oidc:hal", "list", "pods", "gus"), false);
    await stack.upFine();
    assert.deepEqual(await pods("hal"), []);
  });

  it("stops pods too that began after it had read the cluster, and before the quota was closed", async () => {
    const scaled = async (replicas: number) => {
      await scale(stack, "ivy", replicas);
      await until(async () => (await pods("ivy")).length === replicas);
    };
    await scaled(0);
    await stack.configure([gus, { ...hal, ...suspended }, { ...ivy, ...suspended }], grace);
    const reached = proxy.hold("/api/v1/namespaces/ivy/resourcequotas/quota");
    const running = stack.run(up, proxied);
    try {
      await Promise.race([reached, running]);
      await scaled(1);
    } finally {
      proxy.release();
    }
    const { exitCode, output } = await running;
    assert.equal(exitCode, 0, output);
    assert.deepEqual(await pods("ivy"), []);
  });

  it("suspends leavers by the next up, where it was killed once the namespace had the day", async () => {
    await stack.configure([hal, ivy], grace);
    const leaves = async () => (await home("gus"))?.labels?.["kubecamp.dev/leaves"];
    let isKilled = false;
    await killed((kill) => ({
      answered: async ({ method, url }) => {
        if (method !== "PATCH" || url.pathname !== "/api/v1/namespaces/gus" || isKilled) {
          return;
        }
        isKilled = (await leaves()) !== undefined;
        if (isKilled) {
          await kill();
        }
      },
    }));
    const day = await leaves();
    assert.match(day ?? "", /^\d{4}-\d\d-\d\d$/);
    await stack.upFine();
    assert.deepEqual([await leaves(), await pods("gus")], [day, []]);
  });

  it("wakes members by the next up, where it was killed before the controllers were asked", async () => {
    const clock = new HeldClock(stack.folder);
    const schedule = { sleep: "0 20 * * *", wake: "0 7 * * *", timeZone: "Europe/Zurich" };
    const slept = async () => (await home("hal"))?.annotations?.["kubecamp.dev/slept"] ?? "";
    clock.set("2026-11-26T20:00:30+01:00");
    await stack.configure([gus, hal, ivy], { ...grace, schedule });
    assert.equal((await stack.run(up, clock.env)).exitCode, 0);
    assert.notEqual(await slept(), "");
    clock.set("2026-11-27T07:00:30+01:00");
    await killed(
      (kill) => ({
        before: async ({ method, url }) => {
          if (method !== "PATCH" || !url.pathname.endsWith("/status")) {
            return undefined;
          }
          void kill();
          return { status: 503, headers: {} };
        },
      }),
      clock.env,
    );
    assert.notEqual(await slept(), "");
    assert.equal((await stack.run(up, clock.env)).exitCode, 0);
    assert.equal(await slept(), "");
    await until(async () => (await pods("hal")).length === 1);
  });
});
