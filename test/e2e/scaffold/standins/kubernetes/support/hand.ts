/** Changes to the cluster by hand, past Pulumi. */
import { KubeConfig, type KubernetesObject, KubernetesObjectApi } from "@kubernetes/client-node";
import type { Props } from "../../../../../../buckets/protocol/values.ts";

export class Hand {
  readonly #api: KubernetesObjectApi;

  constructor(kubeconfig: string) {
    const config = new KubeConfig();
    config.loadFromFile(kubeconfig);
    this.#api = KubernetesObjectApi.makeApiClient(config);
  }

  /** The plain JSON of the object; undefined if there is none. */
  async find(apiVersion: string, kind: string, id: string): Promise<Props | undefined> {
    const found = await this.#api.read(header(apiVersion, kind, id)).catch(absent);
    return found && JSON.parse(JSON.stringify(found));
  }

  async create(object: KubernetesObject): Promise<void> {
    await this.#api.create(object, undefined, undefined, "kubectl-create");
  }

  async delete(apiVersion: string, kind: string, id: string): Promise<void> {
    await this.#api.delete(header(apiVersion, kind, id)).catch(absent);
  }

  async createNamespace(name: string): Promise<void> {
    await this.create({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
  }

  async deleteNamespace(name: string): Promise<void> {
    await this.delete("v1", "Namespace", name);
  }
}

function header(apiVersion: string, kind: string, id: string) {
  const [first = "", second] = id.split("/");
  return { apiVersion, kind, metadata: second ? { namespace: first, name: second } : { name: first } };
}

function absent(error: { code?: number }): undefined {
  if (error.code !== 404) throw error;
}
