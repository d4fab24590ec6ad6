import { equal } from "node:assert/strict";
import { clusterTimeout } from "../../../../support/cluster.ts";
import { type TestSandbox, testSandbox } from "../../../../support/sandbox.ts";
import { readOnlyKubeconfig, unreachableKubeconfig } from "../support/kubeconfigs.ts";
import { namespaceNamed, removed } from "../support/objects.ts";
import { Plugin } from "../support/plugin.ts";
import { loadRecordings, type RecordedCall, type RecordedStep } from "./recordings.ts";
import { Replay } from "./replay.ts";

const settings = { clusterIdentifier: "sandbox" };
const { steps, objects } = loadRecordings();
// The steps without permission or API server were recorded with the same state that step 28 leaves behind.
const last = steps.filter(({ name }) => /^3[12]-/.test(name));
const others = steps.filter((step) => !last.includes(step));
const inOrder = [...others, ...last];
/** Steps that mostly wait and touch nothing of the others: they run beside them. */
const chains = [["18", "19"]].map((chain) => steps.filter(({ name }) => chain.includes(name.slice(0, 2))));

describe("the recorded steps of the official plugin, on the stand-in", () => {
  let sandbox: TestSandbox;
  let plugin: Plugin;
  let replay: Replay;
  const asides: Plugin[] = [];
  const beside = new Map<string, Promise<void>>();
  const kubeconfigs = { admin: "", readonly: "", unreachable: unreachableKubeconfig };

  before(async function () {
    this.timeout(clusterTimeout);
    sandbox = await testSandbox();
    const { kubeconfig, env } = sandbox;
    await sandbox.create(namespaceNamed("standin-ingress"));
    Object.assign(kubeconfigs, { admin: kubeconfig, readonly: await readOnlyKubeconfig(sandbox, "standin-reader") });
    plugin = await Plugin.start(env);
    replay = new Replay(plugin, objects);
    await Promise.all(chains.map((chain) => startChain(chain, kubeconfig)));
  });

  after(async () => {
    await Promise.all([plugin, ...asides].map((each) => each?.stop()));
    const namespaces = ["standin-ingress", "standin-alice", "standin-reader"];
    await Promise.all(namespaces.map((name) => removed(sandbox, "namespace", name)));
    for (const name of ["standin-alice-view", "standin-reader"]) {
      await removed(sandbox, "clusterrolebinding", name);
    }
  });

  for (const { name, calls } of inOrder) {
    it(`${name}: ${calls.length} calls come to the same verdicts`, async () => {
      await (beside.get(name) ?? replayStep(name, calls));
    });
  }

  async function replayStep(name: string, calls: RecordedCall[]): Promise<void> {
    await beforeStep(name.slice(0, 2));
    const identity = name.includes("readonly") ? "readonly" : name.includes("unreachable") ? "unreachable" : "admin";
    const upsert = name.includes("upsert") ? { upsertExistingObjects: "true" } : {};
    await plugin.configure({ ...settings, ...upsert, kubeconfig: kubeconfigs[identity] });
    replay.kubeconfigs = [kubeconfigs.admin, kubeconfigs[identity]];
    await makeCalls(replay, name, calls);
  }

  async function startChain([first, then]: RecordedStep[], kubeconfig: string): Promise<void> {
    if (!first || !then) {
      throw new Error("a chain has two steps");
    }
    const aside = await Plugin.start();
    asides.push(aside);
    await aside.configure({ ...settings, kubeconfig });
    const chain = new Replay(aside, objects);
    chain.kubeconfigs = [kubeconfig, kubeconfig];
    const done = makeCalls(chain, first.name, first.calls);
    beside.set(first.name, done);
    beside.set(
      then.name,
      done.then(() => makeCalls(chain, then.name, then.calls)),
    );
    // Each step's test reports its failure; until it does, nobody else should.
    for (const work of beside.values()) {
      work.catch(() => {});
    }
  }

  async function makeCalls(by: Replay, name: string, calls: RecordedCall[]): Promise<void> {
    for (const call of calls) {
      await by.make(call).catch((error: Error) => {
        const of = "urn" in call ? ` of ${call.urn.split("::").at(-1)}` : "";
        error.message = `${call.call}${of}: ${error.message}`;
        throw error;
      });
    }
    for (const [kind, id, expected] of left[name.slice(0, 2)] ?? []) {
      const [object = "", namespace] = id.split("/").reverse();
      equal((await sandbox.find(kind, object, namespace)) !== undefined, expected, `${kind} ${id}`);
    }
  }

  /** Changes by hand between the steps. */
  async function beforeStep(step: string): Promise<void> {
    const metadata = { namespace: "standin-ingress" };
    const theirs = { apiVersion: "v1", kind: "ConfigMap" };
    if (step === "12") {
      await sandbox.destroy("networkpolicy", "default", "standin-alice");
    }
    if (step === "15") {
      await sandbox.create({ ...theirs, metadata: { ...metadata, name: "already" }, data: { theirs: "yes" } });
    }
    if (step === "32") {
      await sandbox.destroy("ingress", "standin-alice", "standin-ingress");
    }
  }
});

/** Objects after a step: kind, id, and whether it exists. */
const left: Record<string, [kind: string, id: string, there: boolean][]> = {
  "01": [["namespace", "standin-alice", false]],
  "02": [
    ["namespace", "standin-alice", true],
    ["resourcequota", "standin-alice/quota", true],
    ["ingress", "standin-ingress/standin-alice", true],
  ],
  "10": [["resourcequota", "standin-alice/quota", false]],
  "11": [["resourcequota", "standin-alice/quota", false]],
  "14": [
    ["resourcequota", "standin-alice/quota", true],
    ["networkpolicy", "standin-alice/default", true],
  ],
  "17": [["configmap", "standin-ingress/already", false]],
  "18": [["ingress", "standin-ingress/waits", true]],
  "19": [["ingress", "standin-ingress/waits", false]],
  "23": [["service", "standin-ingress/bad", false]],
  "32": [
    ["namespace", "standin-alice", false],
    ["service", "standin-ingress/standin-alice-svc", false],
    ["clusterrolebinding", "standin-alice-view", false],
  ],
};
