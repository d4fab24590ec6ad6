import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { keyToCome, partitionOf, withAccess } from "../buckets/bucket/access.ts";
import { Bucket } from "../buckets/resources/bucket.ts";
import { BucketUser } from "../buckets/resources/bucketUser.ts";
import type { ObjectName } from "../cluster/read/snapshot.ts";
import type { Member, MemberBucket, Settings } from "../config/model/settings.ts";
import { logicalNames } from "../naming/logicalNames.ts";
import type { Drift } from "../plan/compare/drift.ts";
import { cosiVersion, cosiVersions, isCosiKind } from "../plan/decisions/buckets/cosi.ts";
import { leftBucketFields } from "../plan/decisions/buckets/names.ts";
import type { BucketsPlan } from "../plan/decisions/buckets/plan.ts";
import { bucketInputs, bucketUserInputs } from "../plan/objects/buckets/bucketInputs.ts";
import type { BucketObject } from "../plan/objects/buckets/bucketObject.ts";
import { bucketObjects } from "../plan/objects/buckets/bucketObjects.ts";
import { type BucketKeys, bucketSecretData } from "../plan/objects/buckets/secret.ts";
import type { Storage } from "./storage.ts";

/** What a member's buckets are made from. */
export interface BucketsArgs {
  readonly member: Member;
  readonly settings: Settings;
  /** What leads to the server; undefined where a driver of the cluster's makes buckets. */
  readonly storage?: Storage | undefined;
  /** What in their namespace is left as it stands, or out. Default: nothing. */
  readonly buckets?: Pick<BucketsPlan, "left" | "leftOut"> | undefined;
  /** Logical names of what is not made in their namespace. Default: everything is. */
  readonly gone?: ReadonlySet<string> | undefined;
  readonly drift: Drift;
}

/** Where they are made. */
export interface BucketsPlace {
  readonly parent: pulumi.Resource;
  readonly home: k8s.core.v1.Namespace;
}

/**
 * Makes a member's buckets, and what says in their namespace how each is reached. Nobody gets a bucket whose namespace could
 * not be made. Who is suspended or expired keeps theirs, which lets nobody in.
 */
export function memberBuckets(args: BucketsArgs, place: BucketsPlace): pulumi.Resource[] {
  const { member, settings, storage, buckets: plan, gone } = args;
  const user = storage && makeUser(member, storage, place);
  const keys = keysOf(member, user);
  const made = (member.buckets ?? []).flatMap((bucket) => {
    const own = storage && makeBucket(args, bucket, user, storage, place);
    const resources: pulumi.Resource[] = own ? [own] : [];
    for (const object of bucketObjects(member, bucket, settings)) {
      if (isAmong(plan?.leftOut, object) || gone?.has(logicalNames.bucketPart(member, bucket.name, object.part))) {
        continue;
      }
      const isMade = !isAmong(plan?.left, object);
      const data = isMade && object.kind === "Secret" ? { data: dataOf(bucket, keys, settings) } : {};
      // After the bucket, or what asks for it; and after whose keys these are, also where nothing is said of them.
      const after = [...resources.slice(0, 1), ...(user && object.kind === "Secret" ? [user] : [])];
      resources.push(makeObject(args, bucket, { ...object, ...data }, [place.home, ...after], place));
    }
    return resources;
  });
  return [...(user ? [user] : []), ...made];
}

function makeUser(member: Member, { provider }: Storage, { parent, home }: BucketsPlace): BucketUser | undefined {
  const args = bucketUserInputs(member);
  const opts = { parent, provider, dependsOn: home, protect: member.protect };
  return args && new BucketUser(logicalNames.bucketUser(member), args, opts);
}

/** Secret, whoever made them. */
function keysOf({ bucketKeys }: Member, user: BucketUser | undefined): pulumi.Output<BucketKeys> {
  const { accessKeyId = "", secretAccessKey = "" } = bucketKeys ?? {};
  const given = { accessKeyId, secretAccessKey };
  return pulumi.secret(
    user === undefined
      ? given
      : pulumi.all([user.accessKeyId, user.secretAccessKey]).apply(([id, secret]) => ({
          accessKeyId: id,
          secretAccessKey: secret,
        })),
  );
}

/** With keys that are made, the server lists it as the member's, and its policy lets them in. */
function makeBucket(
  { member, settings }: BucketsArgs,
  bucket: MemberBucket,
  user: BucketUser | undefined,
  { provider }: Storage,
  { parent, home }: BucketsPlace,
): Bucket {
  const key = member.standing === "active" ? user?.accessKeyId : undefined;
  const partition = settings.storage?.kind === "s3" ? partitionOf(settings.storage) : undefined;
  const policyOf = (id: string) => withAccess(bucket.bucketName, id, bucket.policy, partition);
  const own = key && { bucketOwner: key, policy: policyIn(key, policyOf) };
  const opts = { parent, provider, dependsOn: home, protect: member.protect };
  const args = { ...bucketInputs(member, bucket, undefined, partition), ...own };
  return new Bucket(logicalNames.bucket(member, bucket.name), args, opts);
}

/** The part of an output that the SDK does not declare. */
interface Known {
  readonly isKnown: Promise<boolean>;
}

/** A preview shows whom else a bucket lets in, also where it can't know the member's key yet. */
function policyIn(key: pulumi.Output<string>, policyOf: (id: string) => string): pulumi.Output<string> {
  if (!pulumi.runtime.isDryRun()) {
    return key.apply(policyOf);
  }
  const { isKnown } = key as unknown as Known;
  return pulumi.output(isKnown).apply((known) => (known ? key.apply(policyOf) : pulumi.output(policyOf(keyToCome))));
}

function dataOf(bucket: MemberBucket, keys: pulumi.Output<BucketKeys>, { storage }: Settings) {
  return storage?.kind === "s3" ? keys.apply((both) => bucketSecretData(bucket, storage, both)) : undefined;
}

const isAmong = (objects: readonly ObjectName[] = [], { kind, metadata: { name } }: BucketObject) =>
  objects.some((object) => object.kind === kind && object.name === name);

/** It goes with the namespace. */
function makeObject(
  { member, storage, buckets: plan, drift }: BucketsArgs,
  bucket: MemberBucket,
  object: BucketObject,
  dependsOn: pulumi.Resource[],
  { parent, home }: BucketsPlace,
): pulumi.Resource {
  const { part, apiVersion, kind, ...declared } = object;
  const isLeft = !isCosiKind(kind) && isAmong(plan?.left, object);
  const marked = isCosiKind(kind) || isLeft ? declared : drift.markedByMetadata(kind, declared);
  // Of what is left, nothing is said: should Pulumi's state not have it, nothing of it would be written all the same.
  const { metadata, ...rest } = isLeft ? { metadata: { name: declared.metadata.name } } : marked;
  const args = { ...rest, metadata: { ...metadata, namespace: home.metadata.name } };
  const hooks = storage?.makeWay === undefined || isLeft ? {} : { hooks: { beforeCreate: [storage.makeWay] } };
  const ignoring = isLeft ? { ignoreChanges: [...leftBucketFields[kind]] } : {};
  // Another one takes the place of what differs in anything: whoever put their own there with our labels may have made it
  // immutable, and to change it would fail, and with it the run for everybody else.
  const anew = isCosiKind(kind) ? {} : { replaceOnChanges: ["*"], deleteBeforeReplace: true };
  const opts = { parent, deletedWith: home, dependsOn, ...hooks, ...ignoring, ...anew };
  const name = logicalNames.bucketPart(member, bucket.name, part);
  switch (kind) {
    case "Secret":
      return new k8s.core.v1.Secret(name, args, opts);
    case "ConfigMap":
      return new k8s.core.v1.ConfigMap(name, args, opts);
    default: {
      // The same object whichever version it is asked for in: as another resource it would be deleted after the change.
      const aliases = cosiVersions.map((version) => ({ type: `kubernetes:${cosiVersion({ version })}:${kind}` }));
      return new k8s.apiextensions.CustomResource(name, { apiVersion, kind, ...args }, { ...opts, aliases });
    }
  }
}
