import { logicalNames } from "../../naming/logicalNames.ts";
import { bucketType, bucketUserType } from "../../naming/urns.ts";
import type { StackRoot, StateResource } from "../../runs/state/deployment.ts";
import type { OrphansOnServer } from "./orphansOnServer.ts";
import { component, componentUrn, memberUrn, secretValue } from "./resources.ts";

/**
 * Resources for buckets and users that are no longer on the list. The next run, which declares none of them, drops the
 * buckets and then the keys.
 * @param known resources of the cluster's objects
 * @param protects whether a member's removal is refused
 */
export function orphanedResources(
  { buckets, users }: OrphansOnServer,
  known: readonly StateResource[],
  root: StackRoot,
  protects: (member: string) => boolean,
): StateResource[] {
  const there = new Set(known.map(({ urn }) => urn));
  const members = [...new Set([...buckets, ...users].map(({ member }) => member))];
  const userUrn = (member: string) => memberUrn(bucketUserType, logicalNames.bucketUser({ name: member }), root);
  const resource = (type: string, urn: string, member: string, id: string) => ({
    urn,
    custom: true,
    id,
    type,
    parent: componentUrn(member, root),
    provider: root.storage === undefined ? "" : `${root.storage.urn}::${root.storage.id}`,
    ...(protects(member) ? { protect: true } : {}),
  });
  return [
    ...members.filter((member) => !there.has(componentUrn(member, root))).map((member) => component(member, root)),
    ...users.map(({ member, role, accessKeyId, secretAccessKey }): StateResource => {
      const inputs = { member, generation: 1, role };
      return {
        ...resource(bucketUserType, userUrn(member), member, accessKeyId),
        inputs,
        outputs: { ...inputs, accessKeyId, secretAccessKey: secretValue(secretAccessKey) },
        additionalSecretOutputs: ["secretAccessKey"],
      };
    }),
    ...buckets.map(({ member, name, bucketName, reclaimPolicy }): StateResource => {
      const inputs = { bucketName, member, reclaimPolicy, acl: "private", versioning: false, adopt: false };
      const hasUser = users.some((user) => user.member === member);
      return {
        ...resource(bucketType, memberUrn(bucketType, name, root), member, bucketName),
        inputs,
        outputs: inputs,
        dependencies: hasUser ? [userUrn(member)] : [],
      };
    }),
  ];
}
