import { type Marked, markedBuckets, type StackBuckets } from "../../buckets/bucket/leaving.ts";
import { isOfResource } from "../../buckets/bucket/mark.ts";
import { explained } from "../../buckets/failures.ts";
import { serverConfiguration, serverName } from "../../buckets/plugin/configuration.ts";
import { openServer } from "../../buckets/s3/server.ts";
import { keyPrefixOf } from "../../buckets/users/credentials.ts";
import type { S3User, UserAdmin } from "../../buckets/users/userAdmin.ts";
import { storageArgs } from "../../components/buckets/storageArgs.ts";
import type { Configuration } from "../../config/model/settings/settings.ts";
import { project } from "../../config/sources/sources.ts";
import { logicalNames } from "../../naming/logicalNames.ts";
import { bucketType, bucketUserType, memberUrn } from "../../naming/urns.ts";
import { bucketUserInputs } from "../../plan/objects/buckets/bucketInputs.ts";

/** A user on the server of buckets, of a member who is no longer on the list or needs no generated keys any more. */
interface OrphanedUser extends S3User {
  readonly member: string;
}

/** A bucket that is no longer on the list. */
interface OrphanedBucket extends Pick<Marked, "member" | "bucketName" | "reclaimPolicy"> {
  /** Logical name of its former resource. */
  readonly name: string;
}

/** Buckets and users that a stack has made and that are no longer on the list. */
export interface OrphansOnServer {
  readonly buckets: readonly OrphanedBucket[];
  readonly users: readonly OrphanedUser[];
  /** Further objects that may exist, and the reason why they are left out. */
  readonly leftOut: readonly { readonly object: string; readonly why: string }[];
}

/** Facts of the cluster that decide which stack a bucket belongs to. */
interface OnCluster {
  readonly clusterId: string;
  /** Names of members with objects of the stack, or who are to have some. */
  readonly names: readonly string[];
  /** Names of members in other stacks of the family, which close their buckets and users themselves. */
  readonly elsewhere: ReadonlySet<string>;
}

const nothing: OrphansOnServer = { buckets: [], users: [], leftOut: [] };

/** Milliseconds for all requests to the server. */
const patience = 300_000;

/**
 * Finds buckets and users that are no longer on the list. After a loss, the state must have them: no run closes or ends
 * resources outside its state. A server that can't be asked is reported, and stops nothing.
 */
export async function orphansOnServer(
  { settings, members }: Configuration,
  { clusterId, names, elsewhere }: OnCluster,
  open = openServer,
): Promise<OrphansOnServer> {
  const { storage, shards } = settings;
  if (storage?.kind !== "s3") {
    return nothing;
  }
  const { secretAccessKey = "" } = storage;
  const configuration = serverConfiguration({ ...storageArgs(storage, settings, project, clusterId), secretAccessKey });
  const reasonOf = (error: unknown, who: string) => explained(error, who, serverName(configuration)).message;
  // All shards of a list have the same name on the server, so only the cluster shows which of them had a member.
  const isOurs = (name: string) => shards === undefined || (names.includes(name) && !elsewhere.has(name));
  const declared = members.flatMap(({ buckets = [] }) => buckets.map(({ bucketName }) => bucketName));
  const of: StackBuckets = { stack: configuration.stack, administrator: configuration.accessKeyId, declared };
  const server = open(configuration);
  const signal = AbortSignal.timeout(patience);
  const users = server.users(signal);
  try {
    const { buckets: marked, unseen } = await markedBuckets({ s3: server.s3(signal), users }, of);
    const buckets = marked.filter(({ member }) => !elsewhere.has(member));
    const withUser = new Set(members.flatMap((member) => (bucketUserInputs(member) ? [member.name] : [])));
    const listed = members.map(({ name }) => name);
    const candidates = [...new Set([...names, ...listed, ...buckets.map(({ member }) => member)])].sort();
    return {
      buckets: buckets.filter(({ member }) => isOurs(member)).flatMap((bucket) => orphanedBucket(bucket) ?? []),
      users:
        users === undefined
          ? []
          : await orphanedUsers(
              candidates.filter((name) => isOurs(name) && !withUser.has(name)),
              of.stack,
              users,
            ),
      leftOut: [
        ...buckets.flatMap((bucket) => unknown(bucket, isOurs(bucket.member))),
        ...unseen.map(({ bucketName, error }) => ({
          object: `bucket '${bucketName}'`,
          why: `could not be read, and may be a removed member's: ${reasonOf(error, "it")}`,
        })),
      ],
    };
  } catch (error) {
    const why = `could not be found, so no run will close it: ${reasonOf(error, "buckets and users")}`;
    return { ...nothing, leftOut: [{ object: "buckets and keys on the S3 server that the list no longer has", why }] };
  }
}

async function orphanedUsers(candidates: readonly string[], stack: string, users: UserAdmin): Promise<OrphanedUser[]> {
  const keys = await users.keysBeginning("KC");
  const found = candidates.flatMap((member) => {
    const urn = memberUrn(bucketUserType, logicalNames.bucketUser({ name: member }), "any");
    const key = keys.find((each) => each.startsWith(keyPrefixOf(stack, urn)));
    return key === undefined ? [] : [{ member, key }];
  });
  const left: OrphanedUser[] = [];
  for (const { member, key } of found) {
    const user = await users.find(key);
    left.push(...(user === undefined ? [] : [{ ...user, member }]));
  }
  return left;
}

/**
 * Needs the bucket's old logical name: if its entry is put back, a second resource would delete the first one's bucket.
 */
function orphanedBucket(bucket: Marked): OrphanedBucket | undefined {
  const { member, name, bucketName, reclaimPolicy } = bucket;
  return name !== undefined && isOfResource(bucket, memberUrn(bucketType, name, "any"))
    ? { member, name, bucketName, reclaimPolicy }
    : undefined;
}

/** A bucket that no run would find, and the way to remove it. */
function unknown(bucket: Marked, isOurs: boolean): OrphansOnServer["leftOut"] {
  if (isOurs && orphanedBucket(bucket) !== undefined) {
    return [];
  }
  const why = isOurs ? "does not name its entry" : "belongs to a member of no shard";
  const wayOut =
    "no run will close it: put its entry back, run, then remove it and run again; or close it on the server";
  return [{ object: `bucket '${bucket.bucketName}' of ${bucket.member}`, why: `${why}; ${wayOut}` }];
}
