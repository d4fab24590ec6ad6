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
}

/**
 * A user of an S3 server, who may do what buckets' policies and grants let them and no more. The access key stays the same for
 * as long as the resource is called the same, and previews know it.
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
