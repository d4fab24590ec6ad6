import { setTimeout as sleep } from "node:timers/promises";
import type { KubernetesObject } from "@kubernetes/client-node";
import { type ApiServer, withApiServer } from "../cluster/api/client.ts";
import { messageOf } from "../cluster/api/errors.ts";
import { findApiTarget } from "../cluster/api/kubeconfig/kubeconfig.ts";
import { objectPath, oneOf } from "../cluster/kinds/kinds.ts";
import { RunError } from "../config/values/runError.ts";

interface LeaseOptions {
  readonly namespace: string;
  readonly name: string;
  readonly pod: string;
}

interface LeaseParts {
  readonly api: LeaseApi;
  /** Called once per message, with the holder's name; empty if that is unknown. */
  readonly notify: (by: string, message: string) => void;
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
}

/** Milliseconds between renewals or attempts, and milliseconds without renewal after which the Lease lapses. */
const interval = 5_000;
const duration = 60_000;
/** Milliseconds without a successful renewal after which the holder gives up, well before others may take the Lease. */
const deadline = 30_000;

/**
 * Lets one watch of a stack act at a time, even while an old pod is still ending beside its successor. A lapsed Lease is
 * taken only if the holder's pod is gone: a pod that merely can't reach the API server may still run Pulumi for minutes.
 * @see https://kubernetes.io/docs/concepts/architecture/leases/
 */
export class Lease {
  readonly #options: LeaseOptions;
  readonly #parts: LeaseParts;
  readonly #end = new AbortController();
  readonly #lost = new AbortController();
  #live: LiveLease | undefined;
  #seen = { version: "", at: 0 };
  #renewedAt = 0;
  #renewing: Promise<void> | undefined;
  #reported: string | undefined;

  constructor(options: LeaseOptions, parts: Pick<LeaseParts, "api" | "notify"> & Partial<LeaseParts>) {
    this.#options = options;
    const pause: LeaseParts["pause"] = (milliseconds, signal) =>
      sleep(milliseconds, undefined, { signal }).catch(() => undefined);
    this.#parts = { now: () => performance.now(), pause, ...parts };
  }

  /** Aborted, with the reason, when another watch has or may have the Lease. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  get trouble(): string | undefined {
    return this.#reported;
  }

  /** Waits for the Lease, then keeps renewing it. @returns whether it was taken */
  async take(signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      if (await this.#taken()) {
        this.#reported = undefined;
        this.#renewing = this.#renew();
        return true;
      }
      await this.#parts.pause(interval, signal);
    }
    return false;
  }

  /** Gives the Lease back, so that the next watch need not wait. */
  async release(): Promise<void> {
    this.#end.abort();
    await this.#renewing;
    if (this.#live !== undefined && !this.lost.aborted) {
      const { leaseTransitions = 0 } = this.#live.spec ?? {};
      // If that fails, it lapses.
      await this.#parts.api.write({ ...this.#live, spec: { leaseTransitions } }).catch(() => undefined);
    }
  }

  async #taken(): Promise<boolean> {
    const { api, now } = this.#parts;
    try {
      const lease = await api.read();
      const { holderIdentity: holder = "", leaseTransitions = 0 } = lease.spec ?? {};
      if (holder !== "" && holder !== this.#options.pod) {
        const version = lease.metadata.resourceVersion;
        this.#seen = version === this.#seen.version ? this.#seen : { version, at: now() };
        if (now() - this.#seen.at < duration || !(await api.isGone(holder))) {
          this.#tell(holder, this.#waitingText(holder));
          return false;
        }
      }
      await this.#write(lease, { acquireTime: microTime(), leaseTransitions: leaseTransitions + 1 });
      return true;
    } catch (error) {
      this.#tell("", `the Lease ${this.#name} can't be taken: ${messageOf(error)}`);
      return false;
    }
  }

  async #renew(): Promise<void> {
    const { api, now, pause } = this.#parts;
    while (!this.lost.aborted) {
      await pause(interval, this.#end.signal);
      if (this.#end.signal.aborted || this.#live === undefined) {
        return;
      }
      try {
        await this.#write(this.#live, this.#live.spec ?? {});
      } catch (error) {
        const live = await api.read().catch(() => undefined);
        const { holderIdentity: holder = "nobody" } = live?.spec ?? {};
        if (live !== undefined && holder !== this.#options.pod) {
          this.#lose(`${holder} has it now`);
        } else if (now() - this.#renewedAt >= deadline) {
          this.#lose(`it was not renewed for ${deadline / 1000} s: ${messageOf(error)}`);
        }
        this.#live = live ?? this.#live;
      }
    }
  }

  async #write(lease: LiveLease, spec: NonNullable<LiveLease["spec"]>): Promise<void> {
    const { api, now } = this.#parts;
    const asked = now();
    const held = { holderIdentity: this.#options.pod, leaseDurationSeconds: duration / 1000, renewTime: microTime() };
    this.#live = await api.write({ ...lease, spec: { ...spec, ...held } });
    this.#renewedAt = asked;
  }

  #lose(why: string): void {
    this.#lost.abort(new RunError(`The Lease ${this.#name} was lost: ${why}. Another watch may be running now.`));
  }

  #tell(by: string, message: string): void {
    if (message !== this.#reported) {
      this.#reported = message;
      this.#parts.notify(by, message);
    }
  }

  #waitingText(holder: string): string {
    const { namespace } = this.#options;
    return (
      `pod '${holder}' has the Lease ${this.#name}, and this watch waits until it is released or gone. ` +
      `If its node is lost, make sure that the machine is off, then: kubectl delete pod ${holder} -n ${namespace} --force`
    );
  }

  get #name(): string {
    return `'${this.#options.namespace}/${this.#options.name}'`;
  }
}

/** Time format of Leases: with microseconds. */
const microTime = () => new Date().toISOString().replace("Z", "000Z");

export interface LiveLease {
  readonly metadata: { readonly name: string; readonly namespace: string; readonly resourceVersion: string };
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly acquireTime?: string;
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
  };
}

export type LeaseApi = ReturnType<typeof leaseApi>;

interface Pod extends KubernetesObject {
  readonly status?: { readonly phase?: string };
}

/** Time limit of a request, in milliseconds: short of the Lease's duration, so that a hanging one is repeated in time. */
const patience = 10_000;

/** Requests to the cluster of this pod, which is the kubeconfig's current context. */
export function leaseApi(namespace: string, name: string) {
  const asking = async <T>(ask: (api: ApiServer) => Promise<T>): Promise<T> =>
    await withApiServer(findApiTarget(undefined), { patience }, ask, "watch");
  const path = objectPath({ kind: "Lease", name, namespace });
  return {
    /** @throws RunError if the Lease does not exist or the API server does not answer */
    read: (): Promise<LiveLease> =>
      asking(async (api) => {
        const [lease] = await api.list<LiveLease>(oneOf("Lease", name, namespace));
        if (lease === undefined) {
          throw new RunError("there is none; apply what kubecamp watch manifests prints");
        }
        return lease;
      }),
    /** Replaces the Lease. @throws RunError if it has changed since it was read */
    write: ({ metadata, spec }: LiveLease): Promise<LiveLease> =>
      asking(async (api) => {
        const body = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata, spec };
        const what = `write the Lease '${namespace}/${name}'`;
        return JSON.parse(await api.write({ what, method: "PUT", path, body })) as LiveLease;
      }),
    /** Whether a pod of the Lease's namespace is deleted, or has ended according to its kubelet. */
    isGone: (pod: string): Promise<boolean> =>
      asking(async (api) => {
        const [live] = await api.list<Pod>(oneOf("Pod", pod, namespace));
        return live === undefined || ["Succeeded", "Failed"].includes(live.status?.phase ?? "");
      }),
  };
}
