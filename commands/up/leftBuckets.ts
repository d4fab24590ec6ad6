import { type LeavingBucket, undeclaredBuckets } from "../../buckets/bucket/leaving.ts";
import { bucketOf } from "../../buckets/bucket/settings.ts";
import { deleteBucket } from "../../buckets/plugin/bucketResource.ts";
import { s3Configuration, serverName } from "../../buckets/plugin/configuration.ts";
import { deleteUser, userOf } from "../../buckets/plugin/userResource.ts";
import type { Log } from "../../buckets/protocol/engine.ts";
import type { Props } from "../../buckets/protocol/values.ts";
import { keyPrefixOf } from "../../buckets/s3/credentials.ts";
import { explained } from "../../buckets/s3/failures.ts";
import { openServer } from "../../buckets/s3/server.ts";
import { messageOf } from "../../cluster/api/errors.ts";
import { inParallel } from "../../cluster/inParallel.ts";
import { storageArgs } from "../../components/provider/providerArgs.ts";
import { logicalNames } from "../../config/names/logicalNames.ts";
import { bucketUserType, memberUrn } from "../../config/names/urns.ts";
import { project } from "../../config/sources/sources.ts";
import type { S3Settings } from "../../config/storage/storage.ts";
import { bucketUserInputs } from "../../objects/buckets/bucketInputs.ts";
import type { PlanAndState } from "../../plan/decide/differing.ts";
import { membersElsewhere } from "../../plan/members/shards.ts";
import type { Finding } from "../../plan/words/finding.ts";

interface Orphan {
  readonly object: string;
  readonly state: Props;
}

/** Buckets and users to end, and findings on further objects that no run closes. */
type LeftOnServer = Awaited<ReturnType<typeof leftOnServer>>;

/** Milliseconds for all requests that look for them. */
const patience = 300_000;

const most = 8;

/** Finds what a lost state or a killed run has left on the S3 server, if that answers. @param look before the run */
export async function leftOnServer(storage: S3Settings, look: PlanAndState, signal: AbortSignal, open = openServer) {
  const { secretAccessKey = "" } = storage;
  const args = storageArgs(storage, look.settings, project, look.snapshot.id);
  const configuration = s3Configuration({ ...args, secretAccessKey });
  const { stack, accessKeyId: administrator } = configuration;
  const server = { configuration, server: open(configuration) };
  const until = AbortSignal.any([signal, AbortSignal.timeout(patience)]);
  const [s3, users] = [server.server.s3(until), server.server.users(until)];
  const reasonOf = (error: unknown, who: string) => explained(error, who, serverName(configuration)).message;
  const scope = scopeOf(look);
  try {
    const of = { stack, administrator, declared: [...scope.declared.values()], counts: false };
    const { buckets: all, unseen } = await undeclaredBuckets({ s3, users }, of);
    const buckets = all.filter(scope.isOpen).map((bucket) => ({ bucket, obstacle: scope.obstacleOf(bucket) }));
    const keys = (await users?.keysBeginning("KC")) ?? [];
    return {
      server,
      buckets: buckets
        .filter(({ obstacle }) => obstacle === undefined)
        .map(({ bucket: { bucketName, member } }) => ({
          object: bucketOf({ bucketName, member }),
          // Its tags alone are not enough to delete anything: whoever may tag it can change what they say.
          state: { bucketName, member, reclaimPolicy: "Retain", versioning: false, adopt: false },
        })),
      users: scope
        .leftKeys(
          keys,
          stack,
          buckets.map(({ bucket }) => bucket.member),
        )
        .map((user) => ({ object: userOf(user), state: user })),
      findings: [
        ...buckets.flatMap(({ bucket, obstacle }) =>
          obstacle === undefined ? [] : [left(bucketOf(bucket), `${obstacle}; ${wayOut}`)],
        ),
        ...unseen.map(({ bucketName, error }) =>
          left(`bucket '${bucketName}'`, `could not be read, and may be a removed member's: ${reasonOf(error, "it")}`),
        ),
      ],
    };
  } catch (error) {
    const why = `could not be found, so no run will close it: ${reasonOf(error, "buckets and users")}`;
    const findings = [left("buckets and keys on the S3 server that the list no longer has", why)];
    return { server, buckets: [], users: [], findings };
  }
}

const left = (object: string, why: string): Finding<"bucketsLeft"> => ({ code: "bucketsLeft", object, facts: { why } });

/** Decides which of a server's buckets and keys are this stack's, and left. */
function scopeOf({ list, members, removedMembers, settings, snapshot, state }: PlanAndState) {
  const declared = new Map(
    list.flatMap((member) =>
      (member.buckets ?? []).map(({ name, bucketName }) => [logicalNames.bucket(member, name), bucketName] as const),
    ),
  );
  // Other stacks of the family delete their own, and the run itself deletes what is in the state.
  const elsewhere = membersElsewhere(list, settings, snapshot);
  const names = new Set([...removedMembers.map(({ name }) => name), ...members.map(({ member }) => member.name)]);
  // All shards of a list have the same name on the server, so only the cluster shows which of them had a member.
  const isOurs = (name: string) => settings.shards === undefined || names.has(name);
  const withUser = new Set(list.flatMap((member) => (bucketUserInputs(member) ? [member.name] : [])));
  return {
    declared,
    /** A member may have written a tag with the name of a resource that stays. */
    isOpen: ({ name, member }: LeavingBucket) =>
      !(state.names.has(name) && !declared.has(name)) && !elsewhere.has(member),
    /** Why no run closes a bucket: without a name in its tags, it may be one that stays. */
    obstacleOf: ({ name, member }: LeavingBucket): string | undefined => {
      if (!isOurs(member)) {
        return "belongs to a member of no shard";
      }
      return name === "" ? "does not name its entry" : undefined;
    },
    /** @param owners members with a left bucket, whom the cluster may no longer show */
    leftKeys: (keys: readonly string[], stack: string, owners: readonly string[]) =>
      [...new Set([...names, ...owners])]
        .filter((name) => isOurs(name) && !withUser.has(name) && !elsewhere.has(name))
        .sort()
        .flatMap((member) => {
          const logical = logicalNames.bucketUser({ name: member });
          const prefix = keyPrefixOf(stack, memberUrn(bucketUserType, logical, "any"));
          const theirs = keys.filter((key) => key.startsWith(prefix) && !state.names.has(logical));
          return theirs.map((accessKeyId) => ({ member, accessKeyId }));
        }),
  };
}

const wayOut = "no run will close it: put its entry back, run, then remove it and run again; or close it on the server";

/** Ends users' keys, then closes buckets, as the plugin does. One failure does not stop the others. */
export async function endLeft(left: LeftOnServer, signal: AbortSignal): Promise<Finding[]> {
  const ends = async (orphans: readonly Orphan[], remove: typeof deleteUser) =>
    await inParallel(orphans, most, async ({ object, state }): Promise<Finding> => {
      const said: string[] = [];
      const log: Log = {
        say: async (severity, _, text) => {
          if (severity === "WARNING" || state.reclaimPolicy === "Retain") {
            said.push(text);
          }
        },
        status: async () => undefined,
        close: () => undefined,
      };
      await remove({ ...left.server, log, signal }, "", state).catch((error) => said.push(messageOf(error)));
      const [why] = said;
      return why === undefined
        ? { code: "leftDeleted", object, facts: {} }
        : { code: "bucketsLeft", object, facts: { why: why.replace(object, "").replace(/^:? /, "") } };
    });
  return [...left.findings, ...(await ends(left.users, deleteUser)), ...(await ends(left.buckets, deleteBucket))];
}
