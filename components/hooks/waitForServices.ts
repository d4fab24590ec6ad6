import type { V1EndpointSlice, V1Service } from "@kubernetes/client-node";
import { type Informer, inform } from "../../cluster/api/informer.ts";
import type { ApiTarget } from "../../cluster/api/kubeconfig/kubeconfig.ts";
import { allOf } from "../../cluster/kinds/kinds.ts";
import { endpointsMatter, liveServices } from "../../cluster/read/services.ts";
import type { Member } from "../../config/model/members/member.ts";
import type { Settings } from "../../config/model/settings/settings.ts";
import type { Readiness } from "../../plan/decisions/readiness.ts";
import { planMember } from "../../plan/memberPlan.ts";
import type { Waited } from "../../plan/waiting.ts";

/** Pace of a wait; tests use a faster one. */
export interface Patience {
  /** Receives progress on each member who is still waited for. */
  readonly notify: (member: Member, message: string) => void;
  /** Milliseconds between reports. */
  readonly interval: number;
  /** Whether anybody still needs the result. */
  readonly isWanted: () => boolean;
}

/**
 * Managed objects of a waiting member are those that a Gateway needs and a starter app. They exist by now or never
 * will, so the Service alone decides.
 */
const noManagedObjects = new Map<string, never>();

/** The result is no longer needed. */
export class Abandoned extends Error {}

/**
 * Waits for the Services of all members together, with one watch for any number of them. An outage of the API server
 * counts as a missing Service: the wait goes on.
 * @returns by member name, whether the Service became fit in time; rejected when the wait is abandoned
 */
export function waitForServices(
  waited: readonly Waited[],
  settings: Settings,
  target: ApiTarget,
  patience: Patience,
): ReadonlyMap<string, Promise<Readiness>> {
  const wait = new Wait(waited, settings, target, patience);
  return wait.outcomes();
}

class Wait {
  readonly #settings: Settings;
  readonly #target: ApiTarget;
  readonly #patience: Patience;
  readonly #stop = new AbortController();
  readonly #open = new Map<string, Open>();
  readonly #troubles = new Map<string, string>();
  readonly #services: Informer<V1Service>;
  #slices: Informer<V1EndpointSlice> | undefined;
  #looking = false;
  readonly #ticker: NodeJS.Timeout;

  constructor(waited: readonly Waited[], settings: Settings, target: ApiTarget, patience: Patience) {
    this.#settings = settings;
    this.#target = target;
    this.#patience = patience;
    for (const one of waited) {
      const { promise, resolve, reject } = Promise.withResolvers<Readiness>();
      const late = setTimeout(() => this.#giveUp(one.member.name), one.timeoutSeconds * 1000);
      this.#open.set(one.member.name, { ...one, promise, resolve, reject, late, since: performance.now() });
    }
    this.#services = this.#follow<V1Service>(allOf("Service"));
    this.#ticker = setInterval(() => this.#tick(), patience.interval);
    void this.#services.synced.then(
      () => this.#look(),
      () => undefined,
    );
  }

  outcomes(): ReadonlyMap<string, Promise<Readiness>> {
    return new Map([...this.#open].map(([name, { promise }]) => [name, promise]));
  }

  #follow<T extends V1Service | V1EndpointSlice>(list: { what: string; path: string; kind: string }): Informer<T> {
    const events = {
      change: () => this.#lookSoon(),
      trouble: (error: Error) => void this.#troubles.set(list.what, error.message),
      well: () => void this.#troubles.delete(list.what),
    };
    return inform<T>(() => this.#target, list, events, this.#stop.signal);
  }

  /** Looks once for all changes of the same tick, such as a whole list. */
  #lookSoon(): void {
    if (!this.#looking) {
      this.#looking = true;
      setImmediate(() => this.#look());
    }
  }

  #look(): void {
    this.#looking = false;
    const services = liveServices([...this.#services.items.values()], [...(this.#slices?.items.values() ?? [])]);
    const open = [...this.#open.values()];
    const members = open.map(({ member }) => member);
    if (this.#slices === undefined && endpointsMatter(members, services)) {
      this.#slices = this.#follow<V1EndpointSlice>(allOf("EndpointSlice"));
    }
    for (const one of open) {
      const { starter: _, ...member } = one.member;
      const { readiness } = planMember(member, this.#settings, { services, managedObjects: noManagedObjects });
      if (readiness.state === "ready") {
        this.#end(one, readiness);
      } else {
        one.reason = readiness.reason;
      }
    }
  }

  #giveUp(name: string): void {
    const one = this.#open.get(name);
    if (one !== undefined) {
      this.#end(one, { state: "pending", reason: this.#reasonOf(one) });
    }
  }

  #tick(): void {
    if (!this.#patience.isWanted()) {
      for (const one of this.#open.values()) {
        one.reject(new Abandoned());
        clearTimeout(one.late);
      }
      this.#open.clear();
      this.#close();
    }
    for (const one of this.#open.values()) {
      const seconds = Math.round((performance.now() - one.since) / 1000);
      const progress = `${seconds} s of ${one.timeoutSeconds} s`;
      this.#patience.notify(one.member, `waiting for its Service, ${progress}: ${this.#reasonOf(one)}`);
    }
  }

  #reasonOf({ reason }: Open): string {
    const [trouble] = this.#troubles.values();
    return trouble === undefined ? reason : `${reason}, as far as is known (${trouble})`;
  }

  #end(one: Open, readiness: Readiness): void {
    clearTimeout(one.late);
    this.#open.delete(one.member.name);
    if (this.#open.size === 0) {
      this.#close();
    }
    one.resolve(readiness);
  }

  #close(): void {
    clearInterval(this.#ticker);
    this.#stop.abort();
  }
}

interface Open extends Waited {
  readonly promise: Promise<Readiness>;
  readonly resolve: (readiness: Readiness) => void;
  readonly reject: (cause: Error) => void;
  readonly late: NodeJS.Timeout;
  readonly since: number;
  reason: string;
}
