import assert from "node:assert/strict";
import { clusterProblem, SlowStart } from "../../../sandbox/cluster/clusterProblem.ts";
import { PortTaken } from "../../../sandbox/portTaken.ts";
import { useFolder } from "../testFolder.ts";

describe("a cluster that does not start", () => {
  const root = useFolder();
  const problem = async (texts: Readonly<Record<string, string>>) => {
    const logs = Object.entries(texts).map(([component, text]) => [`clusters/dev/logs/${component}.log`, text]);
    root.write(Object.fromEntries(logs));
    return await clusterProblem({ name: "dev", folder: root.path }, "The cluster does not start.");
  };
  const gaveUp = `I1127 started
E1127 05:00:00.0 1 app.go:1] "Error building controller context" err="failed to wait for apiserver being healthy: timed out"
E1127 05:00:00.1 1 app.go:2] "leaderelection lost/stopped"
`;
  const port = '{"level":"fatal","msg":"listen tcp 127.0.0.1:2379: bind: address already in use"}\n';

  it("is a slow start where a component has waited too long for the API server", async () => {
    const found = await problem({ "kube-controller-manager": gaveUp, "kube-apiserver": "I1127 started\n" });
    assert.ok(found instanceof SlowStart, found.message);
    assert.match(found.message, /API server is slow to start/);
  });

  it("is a taken port, whoever has given up since", async () => {
    const found = await problem({ etcd: port, "kube-controller-manager": gaveUp });
    assert.ok(found instanceof PortTaken, found.message);
  });

  for (const [component, line] of [
    ["kube-apiserver", 'E1127 05:00:00.0 1 run.go:72] "command failed" err="unknown flag: --nosuch"'],
    ["kube-apiserver", "F1127 05:00:00.0 1 hooks.go:203] PostStartHook failed: the storage is gone"],
    ["kube-apiserver", "Error: unknown flag: --nosuch"],
    ["etcd", '{"level":"fatal","msg":"discovery failed"}'],
    ["etcd", '{"level":"panic","msg":"tocommit(9) is out of range"}'],
  ] as const) {
    it(`reports a component's last error, whoever has given up since: ${line.slice(0, 25)}`, async () => {
      const found = await problem({ [component]: `I1127 started\n${line}\n`, "kube-controller-manager": gaveUp });
      assert.ok(!(found instanceof SlowStart));
      assert.ok(String(found.why).includes(`${component}: ${line}`), found.why);
    });
  }
});
