import { partitionOf } from "../../../buckets/bucket/access.ts";
import { logicalName } from "../../../cluster/kinds/liveObject.ts";
import { storageArgs } from "../../../components/buckets/storageArgs.ts";
import type { Member } from "../../../config/model/members/member.ts";
import { hasAccess } from "../../../config/model/members/standing.ts";
import type { Settings } from "../../../config/model/settings/settings.ts";
import { logicalNames } from "../../../naming/logicalNames.ts";
import { bucketType, bucketUserType } from "../../../naming/urns.ts";
import { bucketInputs, bucketUserInputs } from "../../../plan/objects/buckets/bucketInputs.ts";
import type { StackRoot, StateResource } from "../../../runs/state/deployment.ts";
import { componentUrn, memberUrn, projectStart } from "./resources.ts";

/** A member's resource on the server of buckets, as a run has it in its state. */
interface BucketResource extends StateResource {
  readonly member: string;
  /** Logical name without the member's, such as `bucket/data`. */
  readonly part: string;
}

interface BucketStack {
  readonly settings: Settings;
  /** UID of the namespace `kube-system`. */
  readonly clusterId: string;
}

/** Input that the plugin adds to a user of a versitygw. */
const role = "user";

/** Inputs of the provider for buckets; undefined for a stack without a server. */
export function storageProviderInputs({ settings, clusterId }: BucketStack, root: StackRoot) {
  const { storage } = settings;
  const [, project = ""] = projectStart(root).slice("urn:pulumi:".length).split("::");
  return storage?.kind === "s3" ? storageArgs(storage, settings, project, clusterId) : undefined;
}

/**
 * Resources of members' buckets that a full run would have in its state: inputs with every default, without secrets.
 * @param known resources in the state; only these have the access keys, which are made once
 */
export function bucketResources(
  members: readonly Member[],
  of: BucketStack,
  root: StackRoot,
  known: readonly StateResource[] = [],
): BucketResource[] {
  const args = storageProviderInputs(of, root);
  const keys = new Map(
    known.flatMap(({ urn, type, id }) => (type === bucketUserType && id ? [[urn, id] as const] : [])),
  );
  return args === undefined ? [] : members.flatMap((member) => resourcesOfMember(member, args, root, keys));
}

function resourcesOfMember(
  member: Member,
  server: ReturnType<typeof storageArgs>,
  root: StackRoot,
  keys: ReadonlyMap<string, string>,
): BucketResource[] {
  const { name, protect, buckets = [] } = member;
  const parent = componentUrn(name, root);
  const resource = (type: string, logical: string, inputs: object, after: readonly string[]): BucketResource => ({
    urn: memberUrn(type, logical, root),
    custom: true,
    type,
    parent,
    member: name,
    part: logical.slice(logicalName({ member: name, part: "" }).length),
    inputs,
    provider: root.storage === undefined ? "" : `${root.storage.urn}::${root.storage.id}`,
    dependencies: [memberUrn("kubernetes:core/v1:Namespace", logicalNames.namespace(member), root), ...after],
    ...(protect ? { protect } : {}),
  });
  const userInputs = bucketUserInputs(member);
  const user = userInputs && resource(bucketUserType, logicalNames.bucketUser(member), { ...userInputs, role }, []);
  const owner = hasAccess(member) ? user : undefined;
  const key = owner && (keys.get(owner.urn) ?? `key of ${logicalNames.bucketUser(member)}`);
  return [
    ...(user === undefined ? [] : [user]),
    ...buckets.map((bucket) => {
      const inputs = bucketInputs(member, bucket, key, partitionOf(server));
      return resource(bucketType, logicalNames.bucket(member, bucket.name), inputs, owner ? [owner.urn] : []);
    }),
  ];
}
