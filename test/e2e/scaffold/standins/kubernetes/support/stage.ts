/** The start of every suite here: the test cluster, a namespace of its own, and a configured stand-in. */
import { atEnd } from "../../../../support/atEnd.ts";
import { clusterTimeout, testCluster } from "../../../../support/cluster.ts";
import { Hand } from "./hand.ts";
import { Plugin } from "./plugin.ts";

interface Stage {
  kubeconfig: string;
  hand: Hand;
  /** Configured for the test cluster. */
  plugin: Plugin;
  /** Another one, for a test to configure as it likes. */
  spare: Plugin;
  namespace: string;
}

export const unlimited = { kubeClientSettings: '{"qps":500,"burst":1000}' };

/** A process takes longer to start than most tests take, so that all suites share two. */
let plugins: Promise<[plugin: Plugin, spare: Plugin]> | undefined;

/** Call it in a `describe`, and its result in the tests. */
export function useStage(name: string): () => Stage {
  let stage: Stage | undefined;
  const namespace = `standin-${name}`;

  before(async function () {
    this.timeout(clusterTimeout);
    const { kubeconfig } = await testCluster();
    const hand = new Hand(kubeconfig);
    plugins ??= startPlugins(kubeconfig);
    const [plugin, spare] = await plugins;
    stage = { kubeconfig, hand, plugin, spare, namespace };
    await hand.createNamespace(namespace);
  });

  after(async () => {
    await stage?.hand.deleteNamespace(namespace);
  });

  return () => {
    if (!stage) throw new Error("the stage is set in a before hook");
    return stage;
  };
}

atEnd(async () => {
  for (const plugin of (await plugins) ?? []) await plugin.stop();
});

async function startPlugins(kubeconfig: string): Promise<[Plugin, Plugin]> {
  const both = await Promise.all([Plugin.start(), Plugin.start()]);
  await both[0].configure({ ...unlimited, kubeconfig });
  return both;
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
    it(title, async () => {
      await started[index];
    });
  };
}
