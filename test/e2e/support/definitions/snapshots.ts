import type { TestSandbox } from "../sandbox.ts";
import { definitionOf, installDefinitions } from "./definitions.ts";

const anything = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

/** The API server asks for it in groups of Kubernetes' own. */
const annotations = {
  "api-approved.kubernetes.io": "https://github.com/kubernetes-csi/external-snapshotter/pull/665",
};
const definition = (kind: string, scope: "Namespaced" | "Cluster") =>
  definitionOf(
    { group: "snapshot.storage.k8s.io", kind, scope, annotations, subresources: { status: {} } },
    { spec: anything, status: anything },
  );

/**
 * Has the API server know VolumeSnapshots, of any content; no driver makes one.
 * @returns a function that removes them with all their objects
 * @see https://kubernetes.io/docs/concepts/storage/volume-snapshots/
 */
export const installSnapshots = (sandbox: TestSandbox) =>
  installDefinitions(
    sandbox,
    definition("VolumeSnapshot", "Namespaced"),
    definition("VolumeSnapshotContent", "Cluster"),
  );
