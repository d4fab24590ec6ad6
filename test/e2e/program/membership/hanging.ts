import type { LiveObject } from "../inventory.ts";
import type { TestStack } from "../stack.ts";

/**
 * Makes a ConfigMap `hanging` that owns itself, so that it never goes and a foreground deletion of any of its owners waits
 * forever. Policies refuse this to members but not to the platform; a member may have made one before there were policies.
 * @param owners arguments of `kubectl get`
 */
export async function hangOn(stack: TestStack, namespace: string, ...owners: readonly string[]): Promise<void> {
  const own = `configmap/hanging -n ${namespace}`;
  await stack.kubectl("create", "configmap", "hanging", "-n", namespace);
  const ownerReferences = await Promise.all([...owners, own].map((owner) => referenceTo(stack, owner)));
  const patch = JSON.stringify({ metadata: { ownerReferences } });
  await stack.kubectl("patch", ...own.split(" "), "--type=merge", "-p", patch);
  await stack.kubectl("delete", ...own.split(" "), "--cascade=foreground", "--wait=false");
}

async function referenceTo(stack: TestStack, owner: string) {
  const live = JSON.parse(await stack.kubectl("get", ...owner.split(" "), "-o", "json")) as LiveObject;
  const { name, uid } = live.metadata;
  return { apiVersion: live.apiVersion, kind: live.kind, name, uid, blockOwnerDeletion: true };
}
