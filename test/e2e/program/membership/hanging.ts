import type { TestStack } from "../stack.ts";
import { objectsNamed } from "../workloads.ts";

/**
 * Makes a ConfigMap `hanging` that owns itself, so that it never goes and a foreground deletion of any of its owners waits
 * forever. Policies refuse this to members but not to the platform; a member may have made one before there were policies.
 * @param owners such as `rolebinding/kubecamp-edit`
 */
export async function hangOn(stack: TestStack, namespace: string, ...owners: readonly string[]): Promise<void> {
  await stack.sandbox.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "hanging", namespace } });
  const live = await objectsNamed(stack, namespace, ...owners, "configmap/hanging");
  const ownerReferences = live.map(({ apiVersion, kind, metadata: { name, uid } }) => {
    return { apiVersion, kind, name, uid, blockOwnerDeletion: true };
  });
  await stack.sandbox.patch("configmap", "hanging", namespace, { metadata: { ownerReferences } });
  await stack.kubectl("delete", "configmap/hanging", "-n", namespace, "--cascade=foreground", "--wait=false");
}
