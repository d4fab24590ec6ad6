import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { parse, stringify } from "yaml";

/** An API server that seems as far away as one in a data centre. */
export interface Distance {
  /** Path of a kubeconfig that reaches the cluster through the delay. */
  readonly kubeconfig: string;
  readonly end: () => Promise<void>;
}

/**
 * Puts a delay in front of a cluster.
 * @param kubeconfig path of the cluster's own; the delayed one is written beside it
 * @param roundTrip milliseconds added to each request
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
function portIn(kubeconfig: string): number {
  const [{ cluster } = { cluster: { server: "" } }] = (parse(kubeconfig) as Kubeconfig).clusters;
  return Number(new URL(cluster.server).port);
}

/** The kubeconfig with another port: the API server's certificate is valid for its address with any port. */
function withPort(kubeconfig: string, port: number): string {
  const config = parse(kubeconfig) as Kubeconfig;
  const clusters = config.clusters.map(({ cluster, ...rest }) => {
    const server = new URL(cluster.server);
    server.port = String(port);
    return { ...rest, cluster: { ...cluster, server: server.origin } };
  });
  return stringify({ ...config, clusters });
}
