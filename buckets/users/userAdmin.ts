/** A user of an S3 server, with their one key. */
export interface S3User {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The server's name of the role. kubecamp's users may do only what policies and ACLs allow. */
  readonly role: string;
}

/** A server's API for users. Every error is an `S3Failure`. */
export interface UserAdmin {
  /** Role of kubecamp's users. */
  readonly role: string;
  /** Role of administrators. */
  readonly adminRole: string;
  /** Undefined if the server says that there is none. */
  find(accessKeyId: string): Promise<S3User | undefined>;
  /** The access keys with this prefix, sorted. */
  keysBeginning(prefix: string): Promise<readonly string[]>;
  /** Creates or updates the user. */
  put(user: S3User): Promise<void>;
  /** A missing user is no error. */
  remove(accessKeyId: string): Promise<void>;
  /** Makes a user the owner of a bucket, which deletes its ACL and policy. */
  giveBucket(bucket: string, accessKeyId: string): Promise<void>;
}
