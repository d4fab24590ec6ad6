import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { beginRecorded, endRecorded } from "../../../../components/hooks/endRecorded.ts";
import { unseenAnnotation } from "../../../../config/names/labels.ts";
import { planFrom, type Run, runFor } from "../../../../plan/decide/run.ts";
import { targetAll } from "../../../../plan/decisions/target.ts";
import { useApiServer } from "../../cluster/fakeApiServer.ts";
import { cluster } from "../../cluster/leaving.ts";
import { clusterAfter } from "../../plan/decide/afterRun.ts";
import { withBuckets } from "../../samples.ts";

describe("digests of what no object shows", () => {
  const server = useApiServer();
  const before = withBuckets(
    { member: "ana", type: "user", buckets: [{ name: "one" }] },
    { member: "ben", type: "user" },
  );
  const after = withBuckets({ member: "ana", type: "user", buckets: [{ name: "one", versioning: true }] });
  const there = clusterAfter(before, cluster());
  const runOf = (configuration: typeof before, isWhole = true): Run => {
    const plan = planFrom(configuration, there, undefined, new Date());
    return runFor(plan, { ...targetAll(plan.list), isWhole }, undefined);
  };
  const urn = () => pulumi.output("urn");
  const rejected = (more: object = {}) => pulumi.output(Promise.reject<string>(Object.assign(new Error("no"), more)));
  type Digests = Awaited<ReturnType<typeof beginRecorded>>;
  const end = async (digests: Digests, shared: pulumi.Output<string>, ...made: pulumi.Output<string>[]) => {
    const environments = new Map([["ana", { made }]]);
    const ended = endRecorded(digests, {
      settings: after.settings,
      shared: [{ urn: shared } as pulumi.Resource],
      environments,
      stopped: pulumi.output(undefined),
    });
    await new Promise((resolve) => void ended.apply(resolve));
  };
  const written = () =>
    server.writes.map(({ url, body }) => {
      const digest = JSON.parse(body).metadata.annotations[unseenAnnotation];
      return `${url?.split("/").at(-1)?.split("?")[0]} ${digest === null ? "off" : "on"}`;
    });
  beforeEach(() =>
    server.answers(
      "ana",
      ...[1, 2].map(() => (_: unknown, response: { end(text: string): void }) => response.end("{}")),
    ),
  );

  it("takes a member's off before the first change, and writes it at the end", async () => {
    await end(await beginRecorded(runOf(before)), urn(), urn());
    assert.deepEqual(written(), []);
    const digests = await beginRecorded(runOf(after));
    assert.deepEqual(written(), ["ana off"]);
    await end(digests, urn(), urn());
    assert.deepEqual(written(), ["ana off", "ana on"]);
  });

  it("writes none of who has failed, and the stack's whoever has, unless the run was interrupted", async () => {
    const { managedObjects } = there;
    const key = "ClusterRole kubecamp:dev:view";
    const view = managedObjects.get(key) ?? assert.fail();
    const unlike = new Map([...managedObjects, [key, { ...view, annotations: {} }]]);
    const plan = planFrom(after, { ...there, managedObjects: unlike }, undefined, new Date());
    const digests = await beginRecorded(runFor(plan, targetAll(plan.list), undefined));
    assert.deepEqual(written(), ["ana off"]);
    await end(digests, urn(), rejected({ code: 14 }));
    await end(digests, rejected(), rejected());
    assert.deepEqual(written(), ["ana off"]);
    await end(digests, urn(), rejected());
    assert.deepEqual(written(), ["ana off", "kubecamp%3Adev%3Aview on"]);
  });
});
