import { partsOfCustom } from "../../../config/model/members/customKinds.ts";
import { RunError } from "../../../config/model/runError.ts";
import type { Settings } from "../../../config/model/settings/settings.ts";
import type { ApiServer } from "../../api/client.ts";
import { ListError, readError } from "../../api/errors.ts";

/** The resources of an API version, as discovery answers. */
interface ApiResources {
  readonly kind?: string;
  readonly resources?: readonly { readonly name: string; readonly kind: string; readonly namespaced: boolean }[];
}

/**
 * Checks the custom kinds that the settings allow. The cluster alone knows whether they are there, in namespaces, and what
 * their resources are called.
 * @throws RunError that names all that the cluster doesn't have so
 * @see https://kubernetes.io/docs/concepts/overview/kubernetes-api/#discovery-api
 */
export async function refuseUnfitKinds(
  { objectKinds = [] }: Pick<Settings, "objectKinds">,
  api: Pick<ApiServer, "get">,
): Promise<void> {
  const problems = await Promise.all(
    objectKinds.map(async (each) => {
      const parts = partsOfCustom(each.kind);
      const why = unfitness(parts, await resourcesOf(parts.apiVersion, api));
      return why === undefined ? [] : [`  ${parts.kind} (${parts.apiVersion}): ${why}`];
    }),
  );
  if (problems.flat().length > 0) {
    throw new RunError(
      `These custom kinds are not on the cluster as objectKinds declares them. Nothing was changed:\n${problems.flat().join("\n")}`,
    );
  }
}

/** The resources of an API version; undefined if the cluster has no such version. */
async function resourcesOf(apiVersion: string, api: Pick<ApiServer, "get">): Promise<ApiResources["resources"]> {
  const what = `the resources of ${apiVersion}`;
  const answer = await api.get<ApiResources>({ what, path: `/apis/${apiVersion}` });
  if (answer !== undefined && (answer.kind !== "APIResourceList" || !Array.isArray(answer.resources))) {
    throw readError(what, new ListError("the answer is no list of resources."));
  }
  return answer?.resources;
}

function unfitness(
  { kind, plural }: Pick<ReturnType<typeof partsOfCustom>, "kind" | "plural">,
  resources: ApiResources["resources"] = [],
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
