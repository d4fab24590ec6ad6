import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:net";

/** The names under which kwokctl's options have what a cluster listens on. */
const components = [
  "etcdPeerPort",
  "etcdPort",
  "kubeApiserverPort",
  "kubeControllerManagerPort",
  "kubeSchedulerPort",
  "kwokControllerPort",
] as const;

/** What a cluster listens on. */
export type Ports = Readonly<Record<(typeof components)[number], number>>;

/** Below those that Linux and macOS give to whoever asks for any port, so that none is lost while its cluster is down. */
function anyPort(): number {
  return randomInt(10_000, 32_768);
}

/**
 * Ports of this machine that are free. Left to itself, kwokctl takes the first free ones, and so do all that start at the
 * same time; chosen at random, those of two clusters hardly ever meet.
 * @param candidate what to try next; by default, at random
 */
export async function freePorts(candidate: () => number = anyPort): Promise<Ports> {
  const held: Server[] = [];
  try {
    const entries: [string, number][] = [];
    for (const component of components) {
      // Held until all are found, so that none comes twice.
      const { server, port } = await firstFree(candidate);
      held.push(server);
      entries.push([component, port]);
    }
    return Object.fromEntries(entries) as Ports;
  } finally {
    await Promise.all(held.map((server) => once(server.close(), "close")));
  }
}

/** One such port. */
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
      if (!["EADDRINUSE", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    }
  }
}
