/** A user of an S3 server, with the one key that they sign with. */
export interface S3User {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** In the server's words. Ours may do what policies and ACLs let them, and no more. */
  readonly role: string;
}

/** What kubecamp needs of a server that has an API for users. Whatever fails is an `S3Failure`. */
export interface UserAdmin {
  /** The role of ours. */
  readonly role: string;
  /** The role of whoever may do anything on the server. */
  readonly adminRole: string;
  /** Undefined if the server says that there is none. */
  find(accessKeyId: string): Promise<S3User | undefined>;
  /** The access keys that begin so, in order. */
  keysBeginning(prefix: string): Promise<readonly string[]>;
  /** Makes the user, or makes them so. */
  put(user: S3User): Promise<void>;
  /** Not being there is no error. */
  remove(accessKeyId: string): Promise<void>;
  /** Makes a user the owner of a bucket, whose ACL and policy end with that. */
  giveBucket(bucket: string, accessKeyId: string): Promise<void>;
}
