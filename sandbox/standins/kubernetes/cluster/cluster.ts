/** The plugin's calls on single objects, named after the API's verbs. */
import { type Props, propsOf } from "../../../../buckets/protocol/values.ts";
import { Informers } from "../await/informers.ts";
import { nameOf, namespaceOf } from "../objects/objects.ts";
import type { ApiClient } from "./api.ts";
import type { Kinds } from "./kinds.ts";

interface WriteOptions {
  dryRun: boolean;
  fieldManager: string;
}

export interface ApplyOptions extends WriteOptions {
  force: boolean;
  /** Unknown fields are dropped with a warning, as in a POST. Otherwise they are an error. */
  lenient: boolean;
}

export class Cluster {
  readonly kinds: Kinds;
  readonly informers: Informers;
  readonly #api: ApiClient;

  constructor(api: ApiClient, kinds: Kinds, signal: AbortSignal) {
    this.#api = api;
    this.kinds = kinds;
    this.informers = new Informers(api, kinds, signal);
  }

  async get(object: Props): Promise<Props> {
    return await this.#api.request({ method: "GET", path: await this.#path(object) });
  }

  async list(type: { apiVersion: string; kind: string }, namespace: string): Promise<Props[]> {
    const { items } = await this.#api.request({ method: "GET", path: await this.kinds.collection(type, namespace) });
    return Array.isArray(items) ? items.map(propsOf) : [];
  }

  async create(object: Props, options: WriteOptions): Promise<Props> {
    const path = await this.#path(object, false);
    return await this.#api.request({ method: "POST", path, query: query(options), body: object });
  }

  async apply(object: Props, options: ApplyOptions): Promise<Props> {
    return await this.#api.request({
      method: "PATCH",
      path: await this.#path(object),
      query: {
        ...query(options),
        force: String(options.force),
        ...(options.lenient ? { fieldValidation: "Warn" } : {}),
      },
      contentType: "application/apply-patch+yaml",
      body: object,
    });
  }

  async patch(object: Props, operations: Props[]): Promise<Props> {
    const path = await this.#path(object);
    return await this.#api.request({
      method: "PATCH",
      path,
      contentType: "application/json-patch+json",
      body: operations,
    });
  }

  async delete(object: Props, propagationPolicy: string): Promise<void> {
    await this.#api.request({ method: "DELETE", path: await this.#path(object), body: { propagationPolicy } });
  }

  async #path(object: Props, named = true): Promise<string> {
    const { base, plural, namespaced } = await this.kinds.find(object);
    const within = namespaced ? `/namespaces/${encodeURIComponent(namespaceOf(object) || "default")}` : "";
    return `${base}${within}/${plural}${named ? `/${encodeURIComponent(nameOf(object))}` : ""}`;
  }
}

function query({ dryRun, fieldManager }: WriteOptions): Record<string, string> {
  return { fieldManager, ...(dryRun ? { dryRun: "All" } : {}) };
}
