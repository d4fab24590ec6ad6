import type { KubernetesObject } from "@kubernetes/client-node";
import { partitionOf } from "../../../buckets/bucket/access.ts";
import { createBucket, deleteBucket, updateBucket } from "../../../buckets/plugin/bucketResource.ts";
import { s3Configuration } from "../../../buckets/plugin/configuration.ts";
import { type Session, withServer } from "../../../buckets/plugin/session.ts";
import { createUser, updateUser, userOf } from "../../../buckets/plugin/userResource.ts";
import { type Props, plain, textAt } from "../../../buckets/protocol/values.ts";
import { keyPrefixOf } from "../../../buckets/s3/credentials.ts";
import { openServer } from "../../../buckets/s3/server.ts";
import { messageOf } from "../../../cluster/api/errors.ts";
import { objectPath } from "../../../cluster/kinds/kinds.ts";
import { storageArgs } from "../../../components/provider/providerArgs.ts";
import type { Member } from "../../../config/member/member.ts";
import { logicalNames } from "../../../config/names/logicalNames.ts";
import { verifyName } from "../../../config/names/names.ts";
import { bucketType, bucketUserType, memberUrn } from "../../../config/names/urns.ts";
import type { Settings } from "../../../config/settings.ts";
import { project } from "../../../config/sources/sources.ts";
import { defaultBucket, type MemberBucket } from "../../../config/storage/buckets.ts";
import type { S3Settings } from "../../../config/storage/storage.ts";
import { bucketInputs, bucketUserInputs } from "../../../objects/buckets/bucketInputs.ts";
import type { Stage } from "../../stage/stage.ts";

/** A member made for a while who has a bucket and keys, as a run gives them to everybody. */
export interface BucketOwner {
  readonly bucketName: string;
  readonly keys: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** Takes the member's access away, as a run does once the member is suspended. */
  readonly suspend: () => Promise<void>;
}

/** Milliseconds for the removal of all, also after Ctrl-C. */
const removal = 60_000;

/** The stack's S3 server, where a verification has a name of its own: no run takes what it makes for the stack's. */
export async function serverOf(
  storage: S3Settings,
  settings: Settings,
  { api, signal, tell }: Pick<Stage, "api" | "signal" | "tell">,
): Promise<Session> {
  const path = objectPath({ kind: "Namespace", name: "kube-system", namespace: undefined });
  const root = await api.get<KubernetesObject>({ what: "the Namespace 'kube-system'", path });
  const { stack = settings.stack, ...args } = storageArgs(storage, settings, project, root?.metadata?.uid ?? "");
  const { secretAccessKey = "" } = storage;
  const configuration = s3Configuration({ ...args, secretAccessKey, stack: `${stack}/verify` });
  const log: Session["log"] = {
    say: async (severity, _, text) => (severity === "WARNING" ? tell(text) : undefined),
    status: async () => undefined,
    close: () => undefined,
  };
  return { configuration, server: openServer(configuration), log, signal };
}

/**
 * Makes a bucket and keys for each member, and removes all again. Names are always the same: what a killed verification has
 * left is taken for its own, and removed with it.
 */
export async function withBucketOwners<T>(
  session: Session,
  members: readonly Member[],
  work: (owners: readonly BucketOwner[]) => Promise<T>,
): Promise<T> {
  const places = members.map((member, index) => placeOf(session, member, index + 1));
  const makeAndWork = async () => {
    const owners: BucketOwner[] = [];
    for (const place of places) {
      owners.push(await made(session, place));
    }
    return await work(owners);
  };
  try {
    return await makeAndWork();
  } finally {
    const failures = (await Promise.all(places.map((place) => removed(session, place)))).flat();
    if (failures.length > 0) {
      const what = "Not all is removed on the S3 server; the next verification removes it:";
      await session.log.say("WARNING", "", [what, ...failures].join("\n  "));
    }
  }
}

type Place = ReturnType<typeof placeOf>;

function placeOf({ configuration }: Session, member: Member, number: number) {
  const bucketName = verifyName(configuration, number);
  // The name is nobody's: without tags yet, the bucket is one that a killed verification has just made.
  const bucket: MemberBucket = { ...defaultBucket, name: "data", bucketName, reclaimPolicy: "Delete", adopt: true };
  const urnOf = (type: string, logical: string) => memberUrn(type, logical, configuration.stack);
  return {
    member: { ...member, buckets: [bucket] },
    bucket,
    bucketUrn: urnOf(bucketType, logicalNames.bucket(member, bucket.name)),
    userUrn: urnOf(bucketUserType, logicalNames.bucketUser(member)),
  };
}

async function made(session: Session, { member, bucket, bucketUrn, userUrn }: Place): Promise<BucketOwner> {
  const partition = partitionOf(session.configuration);
  const { properties } = await createUser(session, userUrn, propsOf(bucketUserInputs(member)));
  const user = plain(properties);
  const keys = { accessKeyId: textAt(user, "accessKeyId"), secretAccessKey: textAt(user, "secretAccessKey") };
  const open = propsOf(bucketInputs(member, bucket, keys.accessKeyId, partition));
  await createBucket(session, bucketUrn, open);
  const suspended: Member = { ...member, standing: "suspended" };
  return {
    bucketName: bucket.bucketName,
    keys,
    suspend: async () => {
      await updateBucket(session, bucketUrn, open, propsOf(bucketInputs(suspended, bucket, undefined, partition)));
      await updateUser(session, userUrn, user, propsOf(bucketUserInputs(suspended)));
    },
  };
}

/** @returns failures */
async function removed(session: Session, { member, bucket, bucketUrn, userUrn }: Place): Promise<readonly string[]> {
  const failures: string[] = [];
  const say: Session["log"]["say"] = async (severity, _, text) => {
    if (severity === "WARNING") {
      failures.push(text);
    }
  };
  const removing = { ...session, log: { ...session.log, say }, signal: AbortSignal.timeout(removal) };
  const failed = (error: unknown) => void failures.push(messageOf(error));
  await deleteBucket(removing, bucketUrn, propsOf(bucketInputs(member, bucket, undefined))).catch(failed);
  const operation = { session: removing, urn: userUrn, who: userOf({ member: member.name }) };
  await withServer(operation, async ({ users }) => {
    const keys = await users?.keysBeginning(keyPrefixOf(session.configuration.stack, userUrn));
    for (const key of keys ?? []) {
      await users?.remove(key);
    }
  }).catch(failed);
  return failures;
}

const propsOf = (inputs: object | undefined): Props => ({ ...inputs }) as Props;
