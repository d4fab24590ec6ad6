import type { Member } from "../../config/model/members/member.ts";
import { RunError } from "../../config/model/runError.ts";
import type { Settings } from "../../config/model/settings/settings.ts";
import type { CosiSettings } from "../../config/model/settings/storage.ts";
import { typeOf } from "../../naming/urns.ts";
import type { ApiServer } from "../api/client.ts";

/** Kinds of COSI that request a bucket and keys, with their resource names in paths. */
export const cosiKinds = { BucketClaim: "bucketclaims", BucketAccess: "bucketaccesses" } as const;
export type CosiKind = keyof typeof cosiKinds;

export const isCosiKind = (kind: string): kind is CosiKind => Object.hasOwn(cosiKinds, kind);

const cosiVersions = ["v1alpha1", "v1alpha2"] as const;

export const cosiGroup = "objectstorage.k8s.io";

/** The apiVersion of both kinds. */
export const cosiVersion = ({ version }: Pick<CosiSettings, "version">) => `${cosiGroup}/${version}`;

/** Pulumi's types of a kind: the object is the same in each version. */
export const cosiTypes = (kind: CosiKind): string[] =>
  cosiVersions.map((version) => typeOf({ apiVersion: cosiVersion({ version }), kind }));

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
