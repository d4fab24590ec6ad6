import type { Member } from "../../config/member/member.ts";
import { partsOfCustom } from "../../config/names/customKinds.ts";
import type { Settings } from "../../config/settings.ts";
import { valueAt } from "../../config/values/mistakes.ts";
import { RunError } from "../../config/values/runError.ts";
import type { ApiResource } from "../api/answers.ts";
import type { ApiServer } from "../api/client.ts";
import { DeadApiError, ListError, readError } from "../api/errors.ts";
import { envoyGateway } from "../kinds/apiVersions.ts";
import { cosiKinds, cosiVersion } from "../kinds/bucketKinds.ts";
import { isKindOfRoute } from "../kinds/stackKinds.ts";

export interface ServedKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly resource: string;
  /** API versions that serve it as well. Default: none. */
  readonly otherVersions?: readonly string[];
}

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
 * All kinds of objects in namespaces that can be listed and made. @throws RunError without a full answer
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

export const servedPath = ({ apiVersion, resource }: Pick<ServedKind, "apiVersion" | "resource">, namespace: string) =>
  `/${apiVersion.includes("/") ? "apis" : "api"}/${apiVersion}/namespaces/${namespace}/${resource}`;

/** Only the cluster knows whether custom kinds are there, namespaced and so named. @throws RunError naming others */
export async function refuseUnfitKinds(
  { objectKinds = [] }: Pick<Settings, "objectKinds">,
  api: Pick<ApiServer, "resources">,
): Promise<void> {
  const problems = await Promise.all(
    objectKinds.map(async (each) => {
      const parts = partsOfCustom(each.kind);
      const why = unfitness(parts, await api.resources(parts.apiVersion));
      return why === undefined ? [] : [`  ${parts.kind} (${parts.apiVersion}): ${why}`];
    }),
  );
  if (problems.flat().length > 0) {
    throw new RunError(
      `These custom kinds are not on the cluster as objectKinds declares them. Nothing was changed:\n${problems.flat().join("\n")}`,
    );
  }
}

function unfitness(
  { kind, plural }: Pick<ReturnType<typeof partsOfCustom>, "kind" | "plural">,
  resources: readonly ApiResource[] = [],
): string | undefined {
  // A subresource, such as `widgets/scale`, may have the same kind.
  const found = resources.find((each) => each.kind === kind && !each.name.includes("/"));
  if (found === undefined) {
    return "there is no such kind; install its CustomResourceDefinition, or remove it from objectKinds and objects";
  }
  if (!found.namespaced) {
    return "is cluster-scoped, and members get objects in their own namespace only; remove it from objectKinds";
  }
  return found.name === plural
    ? undefined
    : `its resource is '${found.name}', not '${plural}'; set plural: ${found.name}`;
}

/** Nothing else is checked: the driver handles these kinds. @throws RunError if there are buckets, and no COSI */
export async function refuseUnknownCosi(
  members: readonly Member[],
  { storage }: Pick<Settings, "storage">,
  server: Pick<ApiServer, "has">,
): Promise<void> {
  if (storage?.kind !== "cosi" || !members.some(({ buckets = [] }) => buckets.length > 0)) {
    return;
  }
  const version = cosiVersion(storage);
  if (!(await server.has(cosiKinds.BucketClaim, version))) {
    throw new RunError(
      `COSI's ${version}, which 'storage.kind: cosi' takes with 'storage.version: ${storage.version}', is not installed on this\n` +
        "cluster; nothing was changed. Install its CustomResourceDefinitions and a driver, or set storage.version to the one that\n" +
        "is there: kubectl get crd bucketclaims.objectstorage.k8s.io -o 'jsonpath={.spec.versions[*].name}'",
    );
  }
}

/** Field by which a SecurityPolicy has the login asked at a path of kubecamp's, whatever the visitor asks for. */
const ownPath = ["spec", "extAuth", "http", "pathOverride"].flatMap((key) => ["properties", key]);

/**
 * The API server drops fields that it does not know: without this one, the login would be asked at the visitor's own path,
 * and answers some for everyone. @throws RunError if Envoy Gateway's kinds are too old
 */
export async function refuseOldEnvoyGateway(
  settings: Pick<Settings, "route">,
  server: Pick<ApiServer, "get">,
): Promise<void> {
  if (!isKindOfRoute("SecurityPolicy", settings)) {
    return;
  }
  const isOld = await server.get({
    what: "the fields of Envoy Gateway's kinds",
    path: `/openapi/v3/apis/${envoyGateway}`,
    keep: (answer) =>
      Object.values(Object(valueAt(answer, ["components", "schemas"]))).every((schema) => !valueAt(schema, ownPath)),
  });
  if (isOld === true) {
    throw new RunError(
      "The Envoy Gateway on this cluster is older than 1.8: a path of its own for 'route.login' is not among the fields of its\n" +
        "SecurityPolicy, so that visitors could go around the login; nothing was changed. Install 1.8 or later with its\n" +
        "CustomResourceDefinitions (docs/run/login.md), or leave route.login out.",
    );
  }
}
