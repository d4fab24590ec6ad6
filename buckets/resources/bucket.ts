import * as pulumi from "@pulumi/pulumi";
import { bucketType } from "../../naming/urns.ts";
import type { BucketSettings } from "../bucket/settings.ts";
import type { BucketsProvider } from "./bucketsProvider.ts";

type Settings = Pick<BucketSettings, "bucketName" | "member"> & Partial<BucketSettings>;
export type BucketArgs = { readonly [Field in keyof Settings]: pulumi.Input<Settings[Field]> };

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
