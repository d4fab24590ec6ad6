import * as pulumi from "@pulumi/pulumi";
import type { BucketsProvider } from "./bucketsProvider.ts";

export interface BucketUserArgs {
  /** Whose keys they are, for messages. */
  readonly member: pulumi.Input<string>;
  /**
   * Another number, another secret; the old one ends at once.
   * @default 1
   */
  readonly generation?: pulumi.Input<number>;
  /**
   * Inactive keys open nothing, whoever has a copy of them, and whatever buckets' policies name them. Once they are active
   * again, they are the same as before.
   * @default Active
   * @see https://docs.aws.amazon.com/IAM/latest/APIReference/API_UpdateAccessKey.html
   */
  readonly status?: pulumi.Input<"Active" | "Inactive">;
}

/**
 * A user of an S3 server, who may do what buckets' policies and grants let them and no more. The access key stays the same for
 * as long as the resource is there; one that is made later under the same name has another, which no policy has named before.
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
    super(
      "kubecamp-buckets:index:BucketUser",
      name,
      { ...args, ...outputs },
      { ...options, additionalSecretOutputs: ["secretAccessKey"] },
    );
  }
}
