import { deepEqual, equal, match, ok } from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { at, type Props } from "../../../../../buckets/protocol/values.ts";
import { deployment, ingress, quota, service } from "./support/objects.ts";
import { failureOf } from "./support/plugin.ts";
import { urn, useStage, waitingTests } from "./support/stage.ts";

const inSeconds = (seconds: number): Props => ({ "pulumi.com/timeoutSeconds": String(seconds) });

describe("the stand-in waits as the official plugin does", () => {
  const stage = useStage("await");
  const it = waitingTests();

  it("for a ResourceQuota until its status says what its spec asks", async () => {
    const { plugin, namespace } = stage();
    const { state } = await plugin.create(urn("core/v1:ResourceQuota", "q"), quota(namespace, "q", { pods: "9" }));
    deepEqual(at(state, "status", "hard"), { pods: "9" });
  });

  it("for a changed ResourceQuota again", async () => {
    const { plugin, namespace } = stage();
    const type = urn("core/v1:ResourceQuota", "q2");
    const { state } = await plugin.create(type, quota(namespace, "q2", { pods: "9" }));
    const changed = await plugin.update(type, state, quota(namespace, "q2", { pods: "8" }));
    deepEqual(at(changed, "status", "hard"), { pods: "8" });
  });

  it("for a Deployment until it is rolled out, and for its new image too", async () => {
    const { plugin, namespace } = stage();
    const type = urn("apps/v1:Deployment", "web");
    const { state } = await plugin.create(type, deployment(namespace, "web"));
    equal(at(state, "status", "readyReplicas"), 1);
    const changed = await plugin.update(type, state, deployment(namespace, "web", "nginx:1.29"));
    equal(at(changed, "status", "updatedReplicas"), 1);
    equal(at(changed, "metadata", "annotations", "deployment.kubernetes.io/revision"), "2");
    equal(at(changed, "status", "observedGeneration"), at(changed, "metadata", "generation"));
  });

  it("for a Deployment that never gets its pods until the time is up; the object is kept, with the reasons", async () => {
    const { plugin, namespace, hand } = stage();
    const stuck = deployment(namespace, "stuck", "nginx", inSeconds(2));
    const affinity = { nodeSelector: { nowhere: "true" } };
    const pod = { ...(at(stuck, "spec", "template", "spec") as Props), ...affinity };
    const spec = { ...(stuck.spec as Props), template: { metadata: { labels: { app: "stuck" } }, spec: pod } };
    const failure = await failureOf(plugin.create(urn("apps/v1:Deployment", "stuck"), { ...stuck, spec }));
    match(failure.message, /"urn:.*::stuck" was successfully created, .*'stuck' timed out waiting to be Ready/);
    equal(failure.initFailed?.id, `${namespace}/stuck`);
    equal(at(failure.initFailed?.state, "__inputs", "metadata", "name"), "stuck");
    ok(at(failure.initFailed?.state, "metadata", "uid"));
    ok(failure.initFailed?.reasons.includes("Minimum number of live Pods was not attained"));
    ok(await hand.find("apps/v1", "Deployment", `${namespace}/stuck`));
  });

  it("no longer for a Service than it is given, if nothing is wrong with it", async () => {
    const { plugin, namespace } = stage();
    const spec = { selector: { app: "nobody" }, ports: [{ port: 80 }] };
    const hurried = service(namespace, "hurried", spec, inSeconds(1));
    equal((await plugin.create(urn("core/v1:Service", "hurried"), hurried)).id, `${namespace}/hurried`);
  });

  it("for a LoadBalancer's address, and names its absence", async () => {
    const { plugin, namespace } = stage();
    const spec = { type: "LoadBalancer", ports: [{ port: 80 }] };
    const balanced = service(namespace, "balanced", { ...spec, selector: { app: "nobody" } }, inSeconds(1));
    const { initFailed } = await failureOf(plugin.create(urn("core/v1:Service", "balanced"), balanced));
    match(initFailed?.reasons.join() ?? "", /not allocated an IP address/);
  });

  it("for an Ingress until a controller gives it an address", async () => {
    const { plugin, namespace, hand } = stage();
    await hand.create(service(namespace, "target", { type: "ExternalName", externalName: "a.example" }));
    const created = plugin.create(
      urn("networking.k8s.io/v1:Ingress", "routed"),
      ingress(namespace, "routed", "target"),
    );
    await sleep(1500);
    await hand.giveAddress(namespace, "routed", "127.0.0.1");
    deepEqual(at((await created).state, "status", "loadBalancer", "ingress"), [{ ip: "127.0.0.1" }]);
  });

  it("for an Ingress without a controller until the time is up", async () => {
    const { plugin, namespace } = stage();
    const alone = ingress(namespace, "alone", "target", inSeconds(2));
    const failure = await failureOf(plugin.create(urn("networking.k8s.io/v1:Ingress", "alone"), alone));
    match(failure.message, /'alone' timed out waiting to be Ready/);
    match(failure.initFailed?.reasons.join() ?? "", /loadBalancer field was not updated/);
  });

  it("as long as customTimeouts say, whatever the annotation says", async () => {
    const { plugin, namespace } = stage();
    // Longer than a test may take.
    const alone = ingress(namespace, "custom", "target", inSeconds(3600));
    const failure = await failureOf(
      plugin.create(urn("networking.k8s.io/v1:Ingress", "custom"), alone, { timeout: 1 }),
    );
    match(failure.message, /'custom' timed out waiting to be Ready/);
  });

  it("not at all with pulumi.com/skipAwait", async () => {
    const { plugin, namespace } = stage();
    const skipped = ingress(namespace, "skipped", "target", { "pulumi.com/skipAwait": "true" });
    const { state } = await plugin.create(urn("networking.k8s.io/v1:Ingress", "skipped"), skipped);
    equal(at(state, "status", "loadBalancer", "ingress"), undefined);
  });
});
