import { RunError } from "../../config/model/runError.ts";
import type { CosiSettings, Member, Settings } from "../../config/model/settings.ts";
import { typeOf } from "../../naming/urns.ts";
import type { ApiServer } from "../api/client.ts";

/** What asks a driver of the cluster's for a bucket and for keys, and what paths call it. */
export const cosiKinds = { BucketClaim: "bucketclaims", BucketAccess: "bucketaccesses" } as const;
export type CosiKind = keyof typeof cosiKinds;

export const isCosiKind = (kind: string): kind is CosiKind => Object.hasOwn(cosiKinds, kind);

const cosiVersions = ["v1alpha1", "v1alpha2"] as const;

/** The apiVersion of both. */
export const cosiVersion = ({ version }: Pick<CosiSettings, "version">) => `objectstorage.k8s.io/${version}`;

/** Pulumi's types of one, which is the same object whichever version it is asked for in. */
export const cosiTypes = (kind: CosiKind): string[] =>
  cosiVersions.map((version) => typeOf({ apiVersion: cosiVersion({ version }), kind }));

/**
 * Nothing else is asked about them: no member may touch them, and what becomes of them is the driver's business.
 * @throws RunError where somebody is to have buckets from a driver, and the cluster does not know how they are asked for
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
        "cluster; nothing has been touched. Install its CustomResourceDefinitions and a driver, or set storage.version to the one that\n" +
        "is there: kubectl get crd bucketclaims.objectstorage.k8s.io -o 'jsonpath={.spec.versions[*].name}'",
    );
  }
}
