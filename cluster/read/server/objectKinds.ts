import type { Member } from "../../../config/member/member.ts";
import { partsOfCustom } from "../../../config/names/customKinds.ts";
import type { Settings } from "../../../config/settings.ts";
import { RunError } from "../../../config/values/runError.ts";
import type { ApiServer } from "../../api/client.ts";
import type { ApiResource } from "../../api/listItems.ts";
import { cosiKinds, cosiVersion } from "../../kinds/bucketKinds.ts";

/**
 * Checks the custom kinds that the settings allow. The cluster alone knows whether they are there, in namespaces, and what
 * their resources are called.
 * @throws RunError that names all that the cluster doesn't have so
 */
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

/**
 * Nothing else about these kinds is checked: no member may change them, and the driver handles them.
 * @throws RunError if members have buckets from a driver, and the cluster does not serve the API
 */
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
