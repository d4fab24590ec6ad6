import * as pulumi from "@pulumi/pulumi";
import { bucketUserType } from "../../naming/urns.ts";
import type { UserSettings } from "../plugin/userResource.ts";
import type { BucketsProvider } from "./bucketsProvider.ts";

type Settings = Omit<UserSettings, "role">;
type BucketUserArgs = { readonly [Field in keyof Settings]: pulumi.Input<Settings[Field]> };

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
