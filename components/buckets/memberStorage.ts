import * as pulumi from "@pulumi/pulumi";
import { keyToCome, partitionOf, withAccess } from "../../buckets/bucket/access.ts";
import { Bucket, BucketUser } from "../../buckets/resources.ts";
import { hasAccess, type Member } from "../../config/member/member.ts";
import { logicalNames } from "../../config/names/logicalNames.ts";
import type { Settings } from "../../config/settings.ts";
import type { MemberBucket } from "../../config/storage/buckets.ts";
import { bucketInputs, bucketUserInputs } from "../../objects/buckets/bucketInputs.ts";
import { type BucketKeys, bucketSecretData } from "../../objects/buckets/bucketObjects.ts";
import type { Drift } from "../../plan/live/drift.ts";
import { isIgnored } from "../../plan/rows/manifest.ts";
import type { PlannedObject } from "../../plan/rows/row.ts";
import type { RegisterOptions } from "../register.ts";
import type { Storage } from "../storage.ts";

interface MemberStorageArgs {
  readonly member: Member;
  readonly settings: Settings;
  /** Connection to the server; undefined where a COSI driver of the cluster makes buckets. */
  readonly storage?: Storage | undefined;
}

export class MemberStorage {
  readonly #args: MemberStorageArgs;
  readonly #parent: pulumi.Resource;
  #user: BucketUser | undefined;

  constructor(args: MemberStorageArgs, parent: pulumi.Resource) {
    this.#args = args;
    this.#parent = parent;
  }

  make(home: pulumi.Resource): ReadonlyMap<string, pulumi.Resource> {
    const { member, settings, storage } = this.#args;
    if (storage === undefined) {
      return new Map();
    }
    const opts = { parent: this.#parent, provider: storage.provider, dependsOn: home, protect: member.protect };
    const inputs = bucketUserInputs(member);
    this.#user = inputs && new BucketUser(logicalNames.bucketUser(member), inputs, opts);
    const user = this.#user;
    const buckets = (member.buckets ?? []).map((bucket) => {
      const made = new Bucket(logicalNames.bucket(member, bucket.name), argsOf(bucket, member, settings, user), opts);
      return [`bucket/${bucket.name}`, made] as const;
    });
    return new Map<string, pulumi.Resource>([...(user ? [["bucket-user", user] as const] : []), ...buckets]);
  }

  optionsOf(object: PlannedObject, drift: Drift): RegisterOptions {
    const { member, settings, storage } = this.#args;
    if (isIgnored(object)) {
      return {};
    }
    const bucket = member.buckets?.find(({ name }) => name === object.name);
    const data =
      bucket && object.kind === "Secret" ? { data: dataOf(bucket, keysOf(member, this.#user), settings) } : {};
    const hooks = storage?.makeWay === undefined ? {} : { hooks: { beforeCreate: [storage.makeWay] } };
    return { declared: { ...drift.declared(object), ...data }, ...hooks };
  }
}

/** Marks given keys as secret as well as generated ones. */
function keysOf({ bucketKeys }: Member, user: BucketUser | undefined): pulumi.Output<BucketKeys> {
  const { accessKeyId = "", secretAccessKey = "" } = user ?? bucketKeys ?? {};
  return pulumi.secret({ accessKeyId, secretAccessKey });
}

/** With generated keys, the server lists the bucket as the member's, and its policy admits them. */
function argsOf(bucket: MemberBucket, member: Member, { storage }: Settings, user: BucketUser | undefined) {
  const key = hasAccess(member) ? user?.accessKeyId : undefined;
  const partition = storage?.kind === "s3" ? partitionOf(storage) : undefined;
  const policyOf = (id: string) => withAccess(bucket.bucketName, id, bucket.policy, partition);
  const own = key && { bucketOwner: key, policy: policyIn(key, policyOf) };
  return { ...bucketInputs(member, bucket, undefined, partition), ...own };
}

/** A preview shows the bucket's other principals even if the member's key is not known yet. */
function policyIn(key: pulumi.Output<string>, policyOf: (id: string) => string): pulumi.Output<string> {
  if (!pulumi.runtime.isDryRun()) {
    return key.apply(policyOf);
  }
  // The SDK does not declare this part of an output.
  const { isKnown } = key as unknown as { readonly isKnown: Promise<boolean> };
  return pulumi.output(isKnown).apply((known) => (known ? key.apply(policyOf) : pulumi.output(policyOf(keyToCome))));
}

function dataOf(bucket: MemberBucket, keys: pulumi.Output<BucketKeys>, { storage }: Settings) {
  return storage?.kind === "s3" ? keys.apply((both) => bucketSecretData(bucket, storage, both)) : undefined;
}
