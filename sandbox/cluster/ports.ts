import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:net";

/** kwokctl's options for the ports of a cluster. */
const components = [
  "etcdPeerPort",
  "etcdPort",
  "kubeApiserverPort",
  "kubeControllerManagerPort",
  "kubeSchedulerPort",
  "kwokControllerPort",
] as const;

/** Ports of a cluster by option. */
export type Ports = Readonly<Record<(typeof components)[number], number>>;

/** Below the ephemeral ports of Linux and macOS, so that no port is lost while its cluster is down. */
function anyPort(): number {
  return randomInt(10_000, 32_768);
}

/**
 * Free ports of this machine. kwokctl would take the first free ones, like all that start at the same time; random ones
 * hardly ever collide.
 * @param candidate the next port to try. Default: a random one
 */
export async function freePorts(candidate: () => number = anyPort): Promise<Ports> {
  const held: Server[] = [];
  try {
    const entries: [string, number][] = [];
    for (const component of components) {
      // Held until all are found, so that none is chosen twice.
      const { server, port } = await firstFree(candidate);
      held.push(server);
      entries.push([component, port]);
    }
    return Object.fromEntries(entries) as Ports;
  } finally {
    await Promise.all(held.map((server) => once(server.close(), "close")));
  }
}

/** One free port. */
export async function freePort(): Promise<number> {
  const { server, port } = await firstFree(anyPort);
  await once(server.close(), "close");
  return port;
}

async function firstFree(candidate: () => number): Promise<{ server: Server; port: number }> {
  for (;;) {
    const port = candidate();
    const server = createServer().listen(port, "127.0.0.1");
    try {
      await once(server, "listening");
      return { server, port };
    } catch (error) {
      if (!["EADDRINUSE", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "")) {
        throw error;
      }
    }
  }
}
