import type { TestSandbox } from "../sandbox.ts";
import { installDefinitions } from "./definitions.ts";

const anything = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

const definition = (kind: string, plural: string, scope: "Namespaced" | "Cluster") => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: {
    name: `${plural}.snapshot.storage.k8s.io`,
    // The API server asks for it in groups of Kubernetes' own.
    annotations: { "api-approved.kubernetes.io": "https://github.com/kubernetes-csi/external-snapshotter/pull/665" },
  },
  spec: {
    group: "snapshot.storage.k8s.io",
    names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
    scope,
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: "object", properties: { spec: anything, status: anything } } },
      },
    ],
  },
});

/**
 * Has the API server know VolumeSnapshots, of any content; no driver makes one.
 * @returns a function that removes them with all their objects
 * @see https://kubernetes.io/docs/concepts/storage/volume-snapshots/
 */
export const installSnapshots = (sandbox: TestSandbox) =>
  installDefinitions(
    sandbox,
    definition("VolumeSnapshot", "volumesnapshots", "Namespaced"),
    definition("VolumeSnapshotContent", "volumesnapshotcontents", "Cluster"),
  );
