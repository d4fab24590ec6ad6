import * as pulumi from "@pulumi/pulumi";

/** An S3 server, and who is its administrator. */
export interface BucketsProviderArgs {
  /**
   * The server's address, such as `https://s3.example.org`.
   * @default AWS
   */
  readonly endpoint?: pulumi.Input<string>;
  /** @default us-east-1 */
  readonly region?: pulumi.Input<string>;
  /**
   * Whether buckets stand in the path (`https://s3.example.org/bucket`) and not in the host's name.
   * @default true where there is an endpoint
   */
  readonly forcePathStyle?: pulumi.Input<boolean>;
  /** Of whoever may make and delete buckets, set their policies and tags, and make users. */
  readonly accessKeyId: pulumi.Input<string>;
  /** Encrypted in the state. Another one changes no bucket. */
  readonly secretAccessKey: pulumi.Input<string>;
  /**
   * What no other stack on the server calls itself, and all shards of one list do: it stands in the tags of the stack's buckets and in the making of its
   * users' keys, and must stay the same. Letters, digits, spaces and `+-=._:/@`.
   */
  readonly stack: pulumi.Input<string>;
  /**
   * The server's kind, where kubecamp can make users on it.
   * @default no users can be made
   */
  readonly users?: pulumi.Input<"versitygw">;
  /**
   * Where the API for users is.
   * @default the endpoint
   */
  readonly usersEndpoint?: pulumi.Input<string>;
}

/**
 * The server of a stack's buckets and users. Give it to them as `provider`: there is no default one. What changes here never
 * replaces a bucket, and deletions of the same run use it as it is then.
 * @see https://www.pulumi.com/docs/iac/concepts/resources/providers/
 */
export class BucketsProvider extends pulumi.ProviderResource {
  constructor(name: string, args: BucketsProviderArgs, options?: pulumi.ResourceOptions) {
    const secretAccessKey = pulumi.secret(args.secretAccessKey);
    super("kubecamp-buckets", name, { ...args, secretAccessKey }, options);
  }
}
