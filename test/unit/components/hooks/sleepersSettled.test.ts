import assert from "node:assert/strict";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { sleepersSettled } from "../../../../components/hooks/podsStopped.ts";
import type { Member } from "../../../../config/member/member.ts";
import { json, useApiServer } from "../../cluster/fakeApiServer.ts";
import { cluster } from "../../cluster/leaving.ts";
import { alice, bob, settings } from "../../samples.ts";

const asleep: Member = { ...bob, standing: "asleep", sleep: { since: "2026-11-26T19:00:00.000Z", until: "x" } };

describe("settling sleepers", () => {
  const server = useApiServer();

  const run = async (preview: boolean, stopped = Promise.resolve()) => {
    const mocks = { newResource: () => ({ id: "", state: {} }), call: () => ({}) };
    await pulumi.runtime.setMocks(mocks, "p", "dev", preview);
    server.answers("bob", json({}));
    const home = new k8s.core.v1.Namespace("bob/namespace");
    const environments = new Map([["bob", { home, quota: undefined }]]);
    const sleepers = { members: [alice, asleep], environments, settings, snapshot: cluster() };
    return sleepersSettled(sleepers, pulumi.output(stopped));
  };
  const over = (output: pulumi.Output<void>) => new Promise((resolve) => output.apply(resolve));

  it("settles sleepers in an up, and never in a preview", async () => {
    await over(await run(true));
    assert.deepEqual(server.asked, []);
    await over(await run(false));
    assert.deepEqual(server.asked, ["bob"]);
  });

  it("settles sleepers once pods are stopped, and before the run's outputs", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const settled = await run(false, promise);
    await new Promise(setImmediate);
    assert.deepEqual(server.asked, []);
    resolve();
    await over(settled);
    assert.deepEqual(server.asked, ["bob"]);
  });
});
