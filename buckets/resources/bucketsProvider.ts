import * as pulumi from "@pulumi/pulumi";

/** An S3 server and its administrator's credentials. */
interface BucketsProviderArgs {
  /**
   * The server's address, such as `https://s3.example.org`.
   * @default AWS
   */
  readonly endpoint?: pulumi.Input<string>;
  /** @default us-east-1 */
  readonly region?: pulumi.Input<string>;
  /**
   * Whether a bucket's name is in the path (`https://s3.example.org/bucket`) or in the host name.
   * @default true if there is an endpoint
   */
  readonly forcePathStyle?: pulumi.Input<boolean>;
  /** The administrator's, who may create and delete buckets, set their policies and tags, and create users. */
  readonly accessKeyId: pulumi.Input<string>;
  /** Encrypted in the state. Changing it changes no bucket. */
  readonly secretAccessKey: pulumi.Input<string>;
  /**
   * Name shared by all shards of one list and by no other stack on the server. The buckets' tags and the users' access keys
   * are derived from it, so that it must stay the same. Letters, digits, spaces and `+-=._:/@`.
   */
  readonly stack: pulumi.Input<string>;
  /**
   * The server's kind, if kubecamp can create users on it.
   * @default no users can be created
   */
  readonly users?: pulumi.Input<"versitygw">;
  /**
   * Address of the API for users.
   * @default the endpoint
   */
  readonly usersEndpoint?: pulumi.Input<string>;
}

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
