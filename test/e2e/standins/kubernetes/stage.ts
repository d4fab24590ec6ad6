/** What every suite here starts from: the test cluster, a namespace of its own, and a configured stand-in. */
import { clusterTimeout, testCluster } from "../../support/cluster.ts";
import { Hand } from "./hand.ts";
import { Plugin } from "./plugin.ts";
import { startSlowWaits } from "./slowWaits.ts";

export interface Stage {
  kubeconfig: string;
  hand: Hand;
  plugin: Plugin;
  namespace: string;
}

export const unlimited = { kubeClientSettings: '{"qps":500,"burst":1000}' };

/** Call it in a `describe`, and its result in the tests. */
export function useStage(name: string): () => Stage {
  let stage: Stage | undefined;
  const namespace = `standin-${name}`;

  before(async function () {
    this.timeout(clusterTimeout);
    const { kubeconfig } = await testCluster();
    startSlowWaits(kubeconfig);
    const hand = new Hand(kubeconfig);
    const plugin = await Plugin.start();
    stage = { kubeconfig, hand, plugin, namespace };
    await plugin.configure({ ...unlimited, kubeconfig });
    await hand.createNamespace(namespace);
  });

  after(async () => {
    await stage?.plugin.stop();
    await stage?.hand.deleteNamespace(namespace);
  });

  return () => {
    if (!stage) throw new Error("the stage is set in a before hook");
    return stage;
  };
}

export function urn(type: string, name: string): string {
  return `urn:pulumi:stack::project::kubernetes:${type}::${name}`;
}

/** Like `it`, but the work of all such tests of a suite starts at once, because most of it is waiting. */
export function waitingTests(): (title: string, work: () => Promise<void>) => void {
  const works: (() => Promise<void>)[] = [];
  let started: Promise<void>[] = [];
  before(() => {
    started = works.map((work) => work());
    // Each test reports its own failure; until it does, nobody else should.
    for (const work of started) work.catch(() => {});
  });
  return (title, work) => {
    const index = works.push(work) - 1;
    it(title, async function () {
      this.timeout(60_000);
      await started[index];
    });
  };
}
