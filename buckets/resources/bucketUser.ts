import * as pulumi from "@pulumi/pulumi";
import { bucketUserType } from "../../naming/urns.ts";
import type { BucketsProvider } from "./bucketsProvider.ts";

interface BucketUserArgs {
  /** The member that the keys belong to, for messages. */
  readonly member: pulumi.Input<string>;
  /**
   * Another number makes another secret; the old one ends at once.
   * @default 1
   */
  readonly generation?: pulumi.Input<number>;
  /**
   * Inactive keys open nothing, whoever has a copy and whatever policies name them. Active again, they are unchanged.
   * @default Active
   * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_UpdateAccessKey.html
   */
  readonly status?: pulumi.Input<"Active" | "Inactive">;
}

/**
 * A user of an S3 server, who may do only what buckets' policies and grants allow. The access key stays the same while the
 * resource exists; a later user of the same name gets another, which no policy has named before.
 */
export class BucketUser extends pulumi.CustomResource {
  declare readonly accessKeyId: pulumi.Output<string>;
  /** Encrypted in the state. */
  declare readonly secretAccessKey: pulumi.Output<string>;

  constructor(
    name: string,
    args: BucketUserArgs,
    options: pulumi.CustomResourceOptions & { readonly provider: BucketsProvider },
  ) {
    const outputs = { accessKeyId: undefined, secretAccessKey: undefined };
    super(bucketUserType, name, { ...args, ...outputs }, { ...options, additionalSecretOutputs: ["secretAccessKey"] });
  }
}
