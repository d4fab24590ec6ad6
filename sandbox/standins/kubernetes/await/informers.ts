/** Lists and watches of kinds, as in the official plugin: one per kind and namespace, until Pulumi ends. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Props, propsOf, textAt, type Value } from "../../../../buckets/protocol/values.ts";
import type { ApiClient } from "../cluster/api.ts";
import { type Kinds, NoMatchError } from "../cluster/kinds.ts";
import { idOf } from "../objects/objects.ts";

type Listener = (object: Props) => void;

export class Informers {
  readonly #api: ApiClient;
  readonly #kinds: Kinds;
  readonly #signal: AbortSignal;
  readonly #started = new Map<string, Informer>();

  constructor(api: ApiClient, kinds: Kinds, signal: AbortSignal) {
    this.#api = api;
    this.#kinds = kinds;
    this.#signal = signal;
  }

  /** @param namespace empty: the whole cluster */
  of(type: { apiVersion: string; kind: string }, namespace: string): Informer {
    const key = `${type.apiVersion}/${type.kind} ${namespace}`;
    const known = this.#started.get(key);
    if (known) {
      return known;
    }
    const started = new Informer();
    this.#started.set(key, started);
    void this.#keep(started, type, namespace);
    return started;
  }

  /** Retries while it is refused, as client-go does. */
  async #keep(informer: Informer, type: { apiVersion: string; kind: string }, namespace: string): Promise<void> {
    for (let pause = 200; !this.#signal.aborted; pause = Math.min(2 * pause, 30_000)) {
      try {
        const path = await this.#kinds.collection(type, namespace);
        const list = await this.#api.request({ method: "GET", path });
        informer.take((Array.isArray(list.items) ? list.items : []).map((item) => ({ ...type, ...propsOf(item) })));
        const resourceVersion = textAt(list, "metadata", "resourceVersion");
        const query = { watch: "true", allowWatchBookmarks: "true", resourceVersion };
        const lines = await this.#api.lines({ method: "GET", path, query });
        // Only here: the list may be allowed and the watch refused.
        pause = 200;
        for await (const line of lines) {
          informer.follow(line);
        }
      } catch (error) {
        if (error instanceof NoMatchError) {
          return;
        }
      }
      await sleep(pause, undefined, { signal: this.#signal, ref: false }).catch(() => undefined);
    }
  }
}

/** The objects of a kind in a namespace. */
class Informer {
  #objects: Map<string, Props> | undefined;
  readonly #listeners = new Set<Listener>();

  /** False until the first list has arrived. */
  get synced(): boolean {
    return this.#objects !== undefined;
  }

  find(object: Props): Props | undefined {
    return this.#objects?.get(idOf(object));
  }

  /** Calls the listener with each present, new and changed object. @returns a function that ends it */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    for (const object of this.#objects?.values() ?? []) {
      listener(object);
    }
    return () => this.#listeners.delete(listener);
  }

  take(objects: readonly Props[]): void {
    this.#objects = new Map(objects.map((object) => [idOf(object), object]));
    for (const object of objects) {
      this.#tell(object);
    }
  }

  follow({ type, object }: { type?: Value; object?: Value }): void {
    const changed = propsOf(object);
    if (type === "DELETED") {
      this.#objects?.delete(idOf(changed));
    }
    if (type !== "ADDED" && type !== "MODIFIED") {
      return;
    }
    this.#objects?.set(idOf(changed), changed);
    this.#tell(changed);
  }

  #tell(object: Props): void {
    for (const listener of this.#listeners) {
      listener(object);
    }
  }
}
