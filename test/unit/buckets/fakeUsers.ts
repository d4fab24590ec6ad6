import type { S3User } from "../../../buckets/s3/s3.ts";
import type { UserAdmin } from "../../../buckets/s3/versitygw.ts";
import { type FakeS3, noAnswer } from "./fakeS3.ts";

/** A server's API for users, in memory. */
export class FakeUsers implements UserAdmin {
  readonly role = "user";
  readonly adminRole = "admin";
  readonly all = new Map<string, S3User>();
  isDown = false;
  readonly #s3: FakeS3;

  constructor(s3: FakeS3) {
    this.#s3 = s3;
  }

  async find(accessKeyId: string): Promise<S3User | undefined> {
    this.#answer("ListUsers");
    return this.all.get(accessKeyId);
  }
  async keysBeginning(prefix: string): Promise<string[]> {
    this.#answer("ListUsers");
    return [...this.all.keys()].filter((key) => key.startsWith(prefix)).sort();
  }
  async put(user: S3User): Promise<void> {
    this.#answer("UpdateUser");
    this.all.set(user.accessKeyId, user);
  }
  async remove(accessKeyId: string): Promise<void> {
    this.#answer("DeleteUser");
    this.all.delete(accessKeyId);
  }
  async giveBucket(name: string, owner: string): Promise<void> {
    this.#answer("ChangeBucketOwner");
    const bucket = this.#s3.buckets.get(name);
    if (bucket === undefined) {
      return;
    }
    bucket.acl = { owner, grants: [{ grantee: owner, permission: "FULL_CONTROL" }] };
    bucket.policy = undefined;
    this.#s3.writes.push(`ChangeBucketOwner ${name}`);
  }
  #answer(operation: string): void {
    if (this.isDown) {
      throw noAnswer(operation);
    }
  }
}
