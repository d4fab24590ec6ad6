/** Changes to the cluster by hand, past Pulumi. */
import {
  KubeConfig,
  type KubernetesObject,
  KubernetesObjectApi,
  NetworkingV1Api,
  PatchStrategy,
} from "@kubernetes/client-node";
import type { Props } from "../../../../../../buckets/protocol/values.ts";

export class Hand {
  readonly #api: KubernetesObjectApi;
  readonly #networking: NetworkingV1Api;

  constructor(kubeconfig: string) {
    const config = new KubeConfig();
    config.loadFromFile(kubeconfig);
    this.#api = KubernetesObjectApi.makeApiClient(config);
    this.#networking = config.makeApiClient(NetworkingV1Api);
  }

  /** The plain JSON of the object; undefined if there is none. */
  async find(apiVersion: string, kind: string, id: string): Promise<Props | undefined> {
    const found = await this.#api.read(header(apiVersion, kind, id)).catch(absent);
    return found && JSON.parse(JSON.stringify(found));
  }

  async create(object: KubernetesObject, manager = "kubectl-create"): Promise<void> {
    await this.#api.create(object, undefined, undefined, manager);
  }

  async patch(object: KubernetesObject & Record<string, unknown>, manager: string): Promise<void> {
    const header = object as KubernetesObject & { metadata: { name: string } };
    await this.#api.patch(header, undefined, undefined, manager, undefined, PatchStrategy.MergePatch);
  }

  /** As an ingress controller does. */
  async giveAddress(namespace: string, name: string, ip: string): Promise<void> {
    const body = await this.#networking.readNamespacedIngress({ namespace, name });
    body.status = { loadBalancer: { ingress: [{ ip }] } };
    await this.#networking.replaceNamespacedIngressStatus({ namespace, name, body });
  }

  async hasReplicaSets(namespace: string, app: string): Promise<boolean> {
    const found = await this.#api.list(
      "apps/v1",
      "ReplicaSet",
      namespace,
      undefined,
      undefined,
      undefined,
      undefined,
      `app=${app}`,
    );
    return found.items.length > 0;
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
