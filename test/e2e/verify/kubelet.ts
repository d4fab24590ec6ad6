import { setTimeout as sleep } from "node:timers/promises";
import type { V1Pod, V1Service } from "@kubernetes/client-node";
import type { TestSandbox } from "../support/sandbox.ts";

/** A connection that a verification's probe tries. */
export interface Attempt {
  /** The namespace from which it is tried. */
  readonly from: string;
  readonly how: string;
  readonly address: string;
  readonly port: number;
  /** The verification's namespace that it leads to, if it does. */
  readonly to: string | undefined;
}

export const isStrange = (namespace: string | undefined): boolean => namespace?.endsWith("-0") === true;

/** What a network plugin does that enforces isolation, at no cloud. */
export const enforcing = ({ from, how, address, to }: Attempt): boolean =>
  isStrange(from)
    ? (to === undefined || to === from) && !/^(169\.254\.|100\.100\.|168\.63\.|192\.0\.0\.|f)/.test(address)
    : to === from || how === "name" || /^(1\.1\.1\.1|2606:)/.test(address);

/**
 * Does what kubelets and a network do with a verification's pods, while some work goes on: has them ready, or ended with the
 * answers of a network.
 */
export async function withKubelet<T>(
  sandbox: TestSandbox,
  isOpen: (attempt: Attempt) => boolean,
  work: () => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const done = new Set<string>();
  const playing = (async () => {
    while (!stop.signal.aborted) {
      await play(sandbox, isOpen, done);
      await sleep(100);
    }
  })();
  try {
    return await work();
  } finally {
    stop.abort();
    await playing;
  }
}

async function play(sandbox: TestSandbox, isOpen: (attempt: Attempt) => boolean, done: Set<string>): Promise<void> {
  const labelSelector = "app in (listener,probe,page)";
  const pods = (await sandbox.list<V1Pod>("pod", { labelSelector })).filter(({ metadata }) =>
    metadata?.namespace?.startsWith("kubecamp-verify-"),
  );
  // What stands in for kubelets comes first.
  const running = pods.filter(({ metadata, status }) => status?.phase === "Running" && !done.has(metadata?.uid ?? ""));
  if (running.length === 0) {
    return;
  }
  const services = await sandbox.list<V1Service>("service");
  const owners = new Map([
    ...pods.flatMap(({ metadata, status }) =>
      (status?.podIPs ?? []).map(({ ip }) => [ip, metadata?.namespace] as const),
    ),
    ...services.flatMap(({ metadata, spec }) =>
      (spec?.clusterIPs ?? []).map((ip) => [ip, metadata?.namespace] as const),
    ),
  ]);
  for (const { metadata, spec, status } of running) {
    const { name = "", namespace = "", uid = "" } = metadata ?? {};
    const [, , , , ...args] = spec?.containers[0]?.command ?? [];
    const message = args
      .map((each) => {
        const [number, how = "", address = "", port] = each.split(" ");
        const owner = owners.get(address);
        const to = owner?.startsWith("kubecamp-verify-") === true ? owner : undefined;
        return `${number} ${isOpen({ from: namespace, how, address, port: Number(port), to }) ? "open" : "closed"}`;
      })
      .join("\n");
    const [container] = status?.containerStatuses ?? [];
    const state = name === "probe" ? { terminated: { exitCode: 0, message } } : container?.state;
    const containerStatuses = [{ ...container, state, containerID: "containerd://1" }];
    done.add(uid);
    await sandbox
      .patch("pod/status", name, namespace, { status: { containerStatuses, ...addresses(status?.podIPs, done.size) } })
      .catch(() => undefined);
  }
}

/** What stands in for kubelets may give two pods one address, and then nobody knows where a connection leads. */
function addresses(before: readonly { readonly ip: string }[] = [], number: number) {
  const podIPs = before.map(({ ip }) => ({ ip: ip.includes(":") ? `fd77::${number}` : `10.77.0.${number}` }));
  const [first] = podIPs;
  return first === undefined ? {} : { podIP: first.ip, podIPs };
}
