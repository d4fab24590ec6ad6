import { logicalNames } from "../../naming/logicalNames.ts";
import { secretSignature, signatureKey } from "../../naming/pulumiMarks.ts";
import { bucketType, bucketUserType } from "../../naming/urns.ts";
import type { Known } from "../../plan/decide/differing.ts";
import { membersElsewhere } from "../../plan/membership/shards.ts";
import type { Finding } from "../../plan/messages/finding.ts";
import { type StackRoot, type StateResource, withResources } from "../../runs/state/deployment.ts";
import { exported, replaceState } from "../../runs/state/stackState.ts";
import type { OpenStack } from "./looking.ts";
import { type OrphansOnServer, orphansOnServer } from "./orphansOnServer.ts";
import { component, componentUrn, memberUrn } from "./plan/resources.ts";

/**
 * Adds buckets and keys to Pulumi's state that are on the S3 server and no longer in the list. The next run closes and ends
 * them: kubecamp's plugin does so for what is in the state, and a lost state has none.
 * @param look after a run, whose state has the provider for buckets
 * @returns whether there are any, and findings on what no run will close
 * @throws RunError when the state can't be written
 */
export async function takeInBuckets({ stack, configuration }: OpenStack, look: Known) {
  const { list, members, removedMembers, settings, snapshot, state } = look;
  const { leftOut, ...orphans } = await orphansOnServer(configuration, {
    clusterId: snapshot.id,
    names: [...removedMembers.map(({ name }) => name), ...members.map(({ member }) => member.name)],
    elsewhere: membersElsewhere(list, settings, snapshot),
  });
  const findings = leftOut.map(({ object, why }): Finding => ({ code: "bucketsLeft", object, facts: { why } }));
  const added = state.root === undefined ? [] : orphanedResources(orphans, state.resources, state.root);
  if (added.length > 0) {
    await replaceState(stack, withResources(await exported(stack), added));
  }
  return { isAny: added.length > 0, findings };
}

/**
 * Resources for buckets and users that are no longer on the list. The next run, which declares none of them, drops the
 * buckets and then the keys.
 * @param known resources in the state, which are left out
 */
export function orphanedResources(
  { buckets, users }: Pick<OrphansOnServer, "buckets" | "users">,
  known: readonly StateResource[],
  root: StackRoot,
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
  });
  const all = [
    ...members.map((member) => component(member, root)),
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
  return all.filter(({ urn }) => !there.has(urn));
}

/** Plain text that Pulumi encrypts when it imports the state. */
const secretValue = (value: unknown) => ({ [signatureKey]: secretSignature, plaintext: JSON.stringify(value) });
