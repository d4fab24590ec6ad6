import type { ApiReader } from "./apiClient.ts";

/** A kind that an API server serves, in the version that it prefers. */
export interface Resource {
  /** Path of the group and version, such as `/apis/apps/v1`. */
  readonly root: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** Plural, such as `deployments`. */
  readonly resource: string;
  readonly isNamespaced: boolean;
  readonly verbs: readonly string[];
}

/** Aggregated discovery, as `kubectl api-resources` reads it: every kind in all versions, the preferred one first. */
const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

interface Discovered {
  readonly items: readonly {
    readonly metadata: { readonly name?: string };
    readonly versions: readonly {
      readonly version: string;
      readonly resources?: readonly {
        readonly resource: string;
        readonly responseKind?: { readonly kind: string };
        readonly scope: string;
        readonly verbs: readonly string[];
        readonly subresources?: readonly { readonly subresource: string }[];
      }[];
    }[];
  }[];
}

/** The groups of an API server, the one without a name first, with all their versions. */
export async function groupsOf(read: ApiReader): Promise<Discovered["items"]> {
  const answers = await Promise.all(["/api", "/apis"].map((root) => read(root, aggregated)));
  return answers.flatMap((answer) => (JSON.parse(answer) as Discovered).items);
}

/** All kinds, each once, in the order in which kubectl looks for a name. */
export async function discover(read: ApiReader): Promise<readonly Resource[]> {
  const found = new Map<string, Resource>();
  for (const { metadata, versions } of await groupsOf(read)) {
    const group = metadata.name ?? "";
    for (const { version, resources = [] } of versions) {
      const apiVersion = group === "" ? version : `${group}/${version}`;
      for (const { resource, responseKind, scope, verbs } of resources) {
        const key = `${resource}.${group}`;
        if (found.has(key)) {
          continue;
        }
        found.set(key, {
          root: group === "" ? `/api/${version}` : `/apis/${apiVersion}`,
          apiVersion,
          kind: responseKind?.kind ?? "",
          resource,
          isNamespaced: scope === "Namespaced",
          verbs,
        });
      }
    }
  }
  return [...found.values()];
}

/** Path of one object, or of a list. */
export function pathOf({ root, resource, isNamespaced }: Resource, namespace?: string, name?: string): string {
  const place = isNamespaced && namespace !== undefined ? `/namespaces/${namespace}` : "";
  return `${root}${place}/${resource}${name === undefined ? "" : `/${name}`}`;
}
