import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { parse, stringify } from "yaml";

/** An API server that is as far away as one in a data centre. */
export interface Distance {
  /** Reaches the cluster by a way on which each request takes longer. */
  readonly kubeconfig: string;
  readonly end: () => Promise<void>;
}

/**
 * Opens such a way to a cluster.
 * @param kubeconfig the cluster's own; the other is written beside it
 * @param roundTrip in milliseconds, added to each request
 */
export async function distanceTo(kubeconfig: string, roundTrip: number): Promise<Distance> {
  const text = await readFile(kubeconfig, "utf8");
  const worker = new Worker(new URL("relayWorker.ts", import.meta.url), {
    workerData: { target: portIn(text), roundTrip },
  });
  const [port] = (await once(worker, "message")) as [number];
  const path = `${kubeconfig}-at-a-distance`;
  await writeFile(path, withPort(text, port));
  return {
    kubeconfig: path,
    end: async () => {
      await worker.terminate();
    },
  };
}

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: { readonly server: string } }[];
}

/** The port of a kubeconfig's only cluster. */
export function portIn(kubeconfig: string): number {
  const [{ cluster } = { cluster: { server: "" } }] = (parse(kubeconfig) as Kubeconfig).clusters;
  return Number(new URL(cluster.server).port);
}

/** The same kubeconfig with another port. The API server's certificate is for its address, whatever the port. */
export function withPort(kubeconfig: string, port: number): string {
  const config = parse(kubeconfig) as Kubeconfig;
  const clusters = config.clusters.map(({ cluster, ...rest }) => {
    const server = new URL(cluster.server);
    server.port = String(port);
    return { ...rest, cluster: { ...cluster, server: server.origin } };
  });
  return stringify({ ...config, clusters });
}
