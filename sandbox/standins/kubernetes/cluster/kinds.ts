/** The API paths of kinds, from the API server's discovery. */
import { type Props, textAt, type Value } from "../../../../buckets/protocol/values.ts";
import { type ApiClient, ApiError } from "./api.ts";

interface Kind {
  /** `/api/v1` or `/apis/GROUP/VERSION`. */
  base: string;
  plural: string;
  namespaced: boolean;
}

/** Used while the API server can't be reached. */
const clusterScoped = new Set(
  "APIService CertificateSigningRequest ClusterRole ClusterRoleBinding CSIDriver CSINode CustomResourceDefinition FlowSchema IngressClass MutatingAdmissionPolicy MutatingAdmissionPolicyBinding MutatingWebhookConfiguration Namespace Node PersistentVolume PriorityClass PriorityLevelConfiguration RuntimeClass StorageClass ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration VolumeAttachment".split(
    " ",
  ),
);
const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

export class NoMatchError extends Error {
  constructor(apiVersion: string, kind: string) {
    super(`no matches for kind "${kind}" in version "${apiVersion}"`);
  }

  /** @param operation such as `update` */
  during(operation: string, urn: string): Error {
    return new Error(
      `${operation} of resource ${JSON.stringify(urn)} failed because the Kubernetes API server reported that the apiVersion for this resource does not exist. Verify that any required CRDs have been created: ${this.message}`,
    );
  }
}

export class Kinds {
  readonly #api: ApiClient;
  #known = new Map<string, Kind>();

  constructor(api: ApiClient) {
    this.#api = api;
  }

  /** Asks the API server. @throws if it can't be reached */
  async load(): Promise<void> {
    const lists = await Promise.all(
      ["/api", "/apis"].map((path) => this.#api.request({ method: "GET", path, accept: aggregated })),
    );
    this.#known = new Map(lists.flatMap(kindsIn));
  }

  async find(object: Props): Promise<Kind> {
    const key = `${textAt(object, "apiVersion")}/${textAt(object, "kind")}`;
    // A custom kind may be new since the last discovery.
    if (!this.#known.has(key)) {
      await this.load();
    }
    const kind = this.#known.get(key);
    if (!kind) {
      throw new NoMatchError(textAt(object, "apiVersion"), textAt(object, "kind"));
    }
    return kind;
  }

  /** The path of a kind's objects in a namespace, or in the whole cluster. */
  async collection(type: { apiVersion: string; kind: string }, namespace: string): Promise<string> {
    const { base, plural, namespaced } = await this.find(type);
    return `${base}${namespaced && namespace ? `/namespaces/${encodeURIComponent(namespace)}` : ""}/${plural}`;
  }

  async exists(object: Props): Promise<boolean> {
    return await this.find(object).then(
      () => true,
      (error: unknown) => {
        if (error instanceof NoMatchError || error instanceof ApiError) {
          return false;
        }
        throw error;
      },
    );
  }
}

/** Without an API server, an unknown kind counts as namespaced, as in the official plugin. */
export async function isNamespaced(object: Props, kinds: Kinds | undefined): Promise<boolean> {
  const guess = !clusterScoped.has(textAt(object, "kind"));
  return (await kinds?.find(object).catch(() => undefined))?.namespaced ?? guess;
}

function kindsIn(list: Props): [string, Kind][] {
  return items(list.items).flatMap((group) =>
    items(group.versions).flatMap((version) => {
      const name = textAt(group, "metadata", "name");
      const apiVersion = name ? `${name}/${textAt(version, "version")}` : textAt(version, "version");
      const base = name ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
      return items(version.resources).map((resource): [string, Kind] => [
        `${apiVersion}/${textAt(resource, "responseKind", "kind")}`,
        { base, plural: textAt(resource, "resource"), namespaced: resource.scope === "Namespaced" },
      ]);
    }),
  );
}

function items(value: Value | undefined): Props[] {
  return Array.isArray(value) ? (value as Props[]) : [];
}
