/**
 * Storage of members' buckets: an S3 server, or a COSI driver of the cluster.
 * @see https://container-object-storage-interface.sigs.k8s.io/
 */
export type StorageSettings = S3Settings | CosiSettings;

/** An S3 server and its administrator's key. */
export interface S3Settings {
  readonly kind: "s3";
  /** URL, as `https://s3.example.org`. Default: AWS. */
  readonly endpoint?: string;
  /** URL that members' pods use. Default: `endpoint`. */
  readonly appEndpoint?: string;
  readonly region: string;
  /** Whether the bucket is in the URL's path instead of the host name. Default: true if `endpoint` is set. */
  readonly forcePathStyle: boolean;
  /** Access key of a user who may create buckets, set their policies and create users. */
  readonly accessKeyId: string;
  /** Secret key; undefined if the configuration was read without its secrets, as commands outside of Pulumi do. */
  readonly secretAccessKey?: string;
  /** Kind of the server if kubecamp creates members' keys on it. Default: none; keys are given. */
  readonly users?: "versitygw";
  /** URL of the API for users. Default: `endpoint`. */
  readonly usersEndpoint?: string;
}

/** A COSI driver of the cluster, which makes buckets and keys. */
export interface CosiSettings {
  readonly kind: "cosi";
  /** Version of the API that the cluster serves. */
  readonly version: "v1alpha1" | "v1alpha2";
  readonly bucketClassName: string;
  readonly bucketAccessClassName: string;
}

/** A member's bucket. */
export interface MemberBucket {
  /** A DNS label; also the name of the bucket's Secret and ConfigMap in the member's namespace. */
  readonly name: string;
  /** Name on the server; never changes. Default: the member's name, `-` and `name`. */
  readonly bucketName: string;
  /** Treatment of the bucket after its declaration is removed. */
  readonly reclaimPolicy: "Retain" | "Delete";
  /** Default: `private`. */
  readonly acl?: CannedAcl;
  /** Grants to use instead of `acl`. */
  readonly grants?: readonly BucketGrant[];
  /** Bucket policy as JSON text, added to the one that lets the member in. */
  readonly policy?: string;
  readonly versioning: boolean;
  /** Whether to take over an existing bucket of that name, with its content. */
  readonly adopt: boolean;
}

/**
 * A grant to others.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html
 */
export interface BucketGrant {
  /** Canonical user ID (with versitygw: an access key), or a group's URI. */
  readonly grantee: string;
  readonly permission: Permission;
}

/** Keys that somebody else made for a member. */
export interface GivenKeys {
  readonly accessKeyId: string;
  /** Undefined if the configuration was read without its secrets. */
  readonly secretAccessKey?: string;
  /**
   * Principal in bucket policies, such as an ARN; each of the member's buckets lets it in. Default: kubecamp lets
   * nobody in.
   */
  readonly principal?: string;
}

/**
 * Access that a bucket can declare for others, in S3's terms.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html
 */
export const cannedAcls = ["private", "public-read", "public-read-write", "authenticated-read"] as const;
export type CannedAcl = (typeof cannedAcls)[number];
export const permissions = ["FULL_CONTROL", "READ", "READ_ACP", "WRITE", "WRITE_ACP"] as const;
export type Permission = (typeof permissions)[number];

/** The group of everyone, with or without a key. */
export const allUsers = "http://acs.amazonaws.com/groups/global/AllUsers";
