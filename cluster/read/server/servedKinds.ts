import type { ApiServer } from "../../api/client.ts";
import { DeadApiError, ListError, readError } from "../../api/errors.ts";

/** A kind of objects in namespaces, in the version that the API server prefers. */
export interface ServedKind {
  /** Such as `apps/v1`. */
  readonly apiVersion: string;
  readonly kind: string;
  /** Such as `deployments`. */
  readonly resource: string;
  /** API versions that serve it as well. Default: none. */
  readonly otherVersions?: readonly string[];
}

/** A list of groups, as aggregated discovery answers. */
export interface Discovered {
  readonly items?: readonly {
    /** Without a name for the first group of Kubernetes. */
    readonly metadata?: { readonly name?: string };
    readonly versions?: readonly {
      readonly version: string;
      /** `Stale` if the server behind an aggregated API does not answer. */
      readonly freshness?: string;
      readonly resources?: readonly {
        readonly resource: string;
        readonly responseKind?: { readonly kind?: string };
        readonly scope?: string;
        readonly verbs?: readonly string[];
      }[];
    }[];
  }[];
}

const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/**
 * All kinds of objects in namespaces that can be listed and made.
 * @throws RunError if the API server doesn't answer, or can't say which kinds there are
 * @see https://kubernetes.io/docs/concepts/overview/kubernetes-api/#aggregated-discovery
 */
export async function servedKinds(api: ApiServer): Promise<ServedKind[]> {
  const what = "the kinds that there are";
  const answers = await Promise.all(
    ["/api", "/apis"].map(async (path) => {
      const found = await api.get({ what, path, accept, keep: servedKindsIn });
      return found ?? Promise.reject(readError(what, noGroups()));
    }),
  );
  return answers.flat();
}

const noGroups = () => new ListError("the answer is no list of API groups.");

/** @throws ListError if the answer is none of discovery; DeadApiError if a part of it is out of date */
export function servedKindsIn({ items }: Discovered): ServedKind[] {
  if (!Array.isArray(items)) {
    throw noGroups();
  }
  const dead: string[] = [];
  const kinds = (items as NonNullable<Discovered["items"]>).flatMap(({ metadata, versions = [] }) => {
    const group = metadata?.name ?? "";
    const served = versions.flatMap(({ version, freshness, resources = [] }) => {
      const apiVersion = group === "" ? version : `${group}/${version}`;
      if (freshness === "Stale") {
        dead.push(apiVersion);
      }
      const found = resources.filter(
        ({ scope, verbs = [] }) => scope === "Namespaced" && verbs.includes("list") && verbs.includes("create"),
      );
      return found.map(({ resource, responseKind }) => ({ apiVersion, kind: responseKind?.kind ?? "", resource }));
    });
    // The preferred version comes first; a later one may have further kinds.
    return [...Map.groupBy(served, ({ resource }) => resource).values()].flatMap(
      ([preferred, ...others]): ServedKind[] => {
        const otherVersions = others.map(({ apiVersion }) => apiVersion);
        return preferred === undefined ? [] : [{ ...preferred, ...(others.length === 0 ? {} : { otherVersions }) }];
      },
    );
  });
  if (dead.length > 0) {
    throw new DeadApiError(dead);
  }
  return kinds;
}

/** Path of a kind's objects in a namespace. */
export const servedPath = ({ apiVersion, resource }: Pick<ServedKind, "apiVersion" | "resource">, namespace: string) =>
  `/${apiVersion.includes("/") ? "apis" : "api"}/${apiVersion}/namespaces/${namespace}/${resource}`;
