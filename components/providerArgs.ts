import type { ProviderArgs } from "@pulumi/kubernetes";
import type { Settings } from "../config/model/settings.ts";

/**
 * All that is set of the provider, for whoever needs to know it without loading every kind of Kubernetes.
 * @see https://www.pulumi.com/registry/packages/kubernetes/api-docs/provider/
 */
export function providerArgs({ cluster }: Pick<Settings, "cluster">) {
  return {
    ...(cluster.context === undefined ? {} : { context: cluster.context }),
    // Another kubeconfig or context for the same cluster must not replace every object; that it is the same cluster is
    // for cluster.id to say, before anything is touched.
    clusterIdentifier: "kubecamp",
    // A stack has some ten objects per member, most of them small; the plugin's own 50 requests a second would be most
    // of the time that an up takes. The API server still shares itself out by priority and fairness.
    kubeClientSettings: { qps: 200, burst: 400, timeout: 60 },
    // Field by field, so that what others add beside our fields stays.
    enableServerSideApply: true,
    // What a killed run made, its state does not know: the next run takes it over instead of failing on it. The
    // ownership check (plan/membership/ownership.ts) keeps foreign objects away from this.
    upsertExistingObjects: true,
    // A field that somebody changed by hand is put back; without this it would be a conflict and an error.
    enablePatchForce: true,
    // In place: otherwise every change of data is a replacement, which deletes first and loses the object if it fails.
    enableConfigMapMutable: true,
    enableSecretMutable: true,
    // An unreachable cluster is an error. Neither forget objects that may be alive, nor pass over a change.
    deleteUnreachable: false,
    skipUpdateUnreachable: false,
  } satisfies ProviderArgs;
}
