import assert from "node:assert/strict";
import { RunError } from "@pulumi/pulumi";
import { Metrics } from "../../../../watch/telemetry/metrics.ts";
import { type Server, serve } from "../../../../watch/telemetry/server.ts";

describe("the watch's server", () => {
  const trouble: { alive?: string; ready?: string } = {};
  let server: Server;
  const ask = async (path: string, method = "GET") => {
    const response = await fetch(server.url + path, { method });
    return { status: response.status, text: await response.text() };
  };
  const options = { address: "127.0.0.1", port: 0 };
  const start = () =>
    serve({ alive: () => trouble.alive, ready: () => trouble.ready }, new Metrics().registry, options);

  before(async () => {
    server = await start();
  });
  after(() => server.close());
  afterEach(() => {
    delete trouble.alive;
    delete trouble.ready;
  });

  it("answers the kubelet's probes, with the reason where something is wrong", async () => {
    assert.deepEqual(await ask("/healthz"), { status: 200, text: "ok\n" });
    assert.deepEqual(await ask("/readyz?verbose"), { status: 200, text: "ok\n" });
    trouble.ready = "no full up has succeeded yet";
    assert.deepEqual(await ask("/healthz"), { status: 200, text: "ok\n" });
    assert.deepEqual(await ask("/readyz"), { status: 503, text: "no full up has succeeded yet\n" });
    trouble.alive = "an up has been under way for 31 minutes";
    assert.equal((await ask("/healthz")).status, 503);
  });

  it("serves the watch's counters from zero on, and no sample of what is not known yet", async () => {
    const { status, text } = await ask("/metrics");
    assert.equal(status, 200);
    for (const line of [
      'kubecamp_ups_total{kind="targeted",result="failed"} 0',
      "kubecamp_route_open_seconds_count 0",
      "# TYPE kubecamp_drift_repaired_total counter",
      "# TYPE process_cpu_seconds_total counter",
    ]) {
      assert.ok(text.split("\n").includes(line), `${line}\nis not in\n${text}`);
    }
    // Alerts would take 0 for an answer, such as for mistakes in files that nobody has read yet.
    const unknown = /^kubecamp_(cluster_connected|config_valid|interval|last_successful|lease_held|members)\S* \S+$/m;
    assert.equal(unknown.exec(text), null);
  });

  it("serves the watch's probes and metrics alone", async () => {
    assert.deepEqual(await ask("/"), { status: 404, text: "There are /healthz, /readyz and /metrics\n" });
    assert.equal((await ask("/healthz", "POST")).status, 405);
  });

  it("names the taken port of the watch's probes and metrics, and the way out", async () => {
    const port = Number(new URL(server.url).port);
    await assert.rejects(
      serve({ alive: () => undefined, ready: () => undefined }, new Metrics().registry, { address: "127.0.0.1", port }),
      (error) =>
        RunError.isInstance(error) &&
        error.message.startsWith("Can't listen: listen EADDRINUSE") &&
        error.message.includes(`127.0.0.1:${port}\nChoose another --port`),
    );
  });
});
