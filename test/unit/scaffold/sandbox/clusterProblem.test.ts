import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clusterProblem, PassingProblem, SlowStart } from "../../../../scaffold/sandbox/cluster/clusterProblem.ts";

describe("a cluster that does not start", () => {
  let folder = "";
  const problem = async (component: string, log: string) => {
    const logs = join(folder, "clusters/dev/logs");
    await rm(logs, { recursive: true, force: true });
    await mkdir(logs, { recursive: true });
    await writeFile(join(logs, `${component}.log`), log);
    return await clusterProblem({ name: "dev", folder }, "The cluster does not start.");
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "kubecamp-cluster-"));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it("is tried again where a component has waited too long for the API server", async () => {
    const error = '"Error building controller context" err="failed to wait for apiserver being healthy: timed out"';
    const found = await problem(
      "kube-controller-manager",
      `I1127 started\nE1127 05:00:00.0 1 controllermanager.go:1] ${error}\nE1127 05:00:00.1 1 controllermanager.go:2] "leaderelection lost/stopped"\n`,
    );
    assert.ok(found instanceof SlowStart, found.message);
    assert.match(found.message, /API server is slow to start/);
  });

  it("is tried again, on other ports, where one is taken", async () => {
    const found = await problem(
      "etcd",
      '{"level":"fatal","msg":"listen tcp 127.0.0.1:2379: bind: address already in use"}\n',
    );
    assert.ok(found instanceof PassingProblem && !(found instanceof SlowStart), found.message);
  });

  it("is reported with a component's last error otherwise", async () => {
    const found = await problem("kube-apiserver", "F1127 05:00:00.0 1 run.go:72] unknown flag: --nosuch\n");
    assert.ok(!(found instanceof PassingProblem));
    assert.match(String(found.why), /kube-apiserver: F1127 .*unknown flag/);
  });
});
