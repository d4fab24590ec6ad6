import * as pulumi from "@pulumi/pulumi";
import { bucketType, bucketUserType, leavingFunction } from "../config/names/urns.ts";
import type { LeavingBucket } from "./bucket/leaving.ts";
import type { BucketSettings } from "./bucket/settings.ts";
import type { UserSettings } from "./plugin/userResource.ts";
import type { S3Configuration } from "./s3/server.ts";

type Inputs<Settings> = { readonly [Field in keyof Settings]: pulumi.Input<Settings[Field]> };

type ProviderArgs = Inputs<
  Partial<S3Configuration> & Pick<S3Configuration, "accessKeyId" | "secretAccessKey" | "stack">
>;

/**
 * The server of a stack's buckets and users. Pass it to them as `provider`, since there is no default one. Changing it never
 * replaces a bucket, and deletions of the same run use the changed inputs.
 * @see https://www.pulumi.com/docs/iac/concepts/resources/providers/
 */
export class BucketsProvider extends pulumi.ProviderResource {
  constructor(name: string, args: ProviderArgs, options?: pulumi.ResourceOptions) {
    const secretAccessKey = pulumi.secret(args.secretAccessKey);
    super("kubecamp-buckets", name, { ...args, secretAccessKey }, options);
  }
}

export type BucketArgs = Inputs<Pick<BucketSettings, "bucketName" | "member"> & Partial<BucketSettings>>;

/** A bucket on an S3 server. No change replaces it. */
export class Bucket extends pulumi.CustomResource {
  constructor(
    name: string,
    args: BucketArgs,
    options: pulumi.CustomResourceOptions & { readonly provider: BucketsProvider },
  ) {
    super(bucketType, name, { ...args }, options);
  }
}

/**
 * A user of an S3 server, who may do only what buckets' policies and grants allow. The access key stays the same while the
 * resource exists; a later user of the same name gets another, which no policy has named before.
 */
export class BucketUser extends pulumi.CustomResource {
  declare readonly accessKeyId: pulumi.Output<string>;
  declare readonly secretAccessKey: pulumi.Output<string>;

  constructor(
    name: string,
    args: Inputs<Omit<UserSettings, "role">>,
    options: pulumi.CustomResourceOptions & { readonly provider: BucketsProvider },
  ) {
    const outputs = { accessKeyId: undefined, secretAccessKey: undefined };
    super(bucketUserType, name, { ...args, ...outputs }, { ...options, additionalSecretOutputs: ["secretAccessKey"] });
  }
}

/**
 * The stack's buckets that it no longer declares, with the number of objects to be deleted: for deletions, Pulumi does not
 * call the provider in a preview. Reads the server; empty while the provider's inputs are unknown.
 */
export async function leavingBuckets(provider: BucketsProvider, declared: readonly string[]) {
  const { buckets = [] } = (await pulumi.runtime.invoke(leavingFunction, { declared }, { provider })) as {
    buckets?: readonly LeavingBucket[];
  };
  return buckets;
}
