import * as pulumi from "@pulumi/pulumi";
import type { ServerConfiguration } from "../plugin/configuration.ts";

type Settings = Partial<ServerConfiguration> & Pick<ServerConfiguration, "accessKeyId" | "secretAccessKey" | "stack">;
type BucketsProviderArgs = { readonly [Field in keyof Settings]: pulumi.Input<Settings[Field]> };

/**
 * The server of a stack's buckets and users. Pass it to them as `provider`, since there is no default one. Changing it never
 * replaces a bucket, and deletions of the same run use the changed inputs.
 * @see https://www.pulumi.com/docs/iac/concepts/resources/providers/
 */
export class BucketsProvider extends pulumi.ProviderResource {
  constructor(name: string, args: BucketsProviderArgs, options?: pulumi.ResourceOptions) {
    const secretAccessKey = pulumi.secret(args.secretAccessKey);
    super("kubecamp-buckets", name, { ...args, secretAccessKey }, options);
  }
}
