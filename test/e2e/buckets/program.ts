/** The program of these tests: declares what stands in declared.json of the folder that it runs in. */
import { readFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";
import { withAccess } from "../../../buckets/bucket/access.ts";
import { Bucket, type BucketArgs } from "../../../buckets/resources/bucket.ts";
import { BucketsProvider } from "../../../buckets/resources/bucketsProvider.ts";
import { BucketUser } from "../../../buckets/resources/bucketUser.ts";
import { leavingBuckets } from "../../../buckets/resources/leavingBuckets.ts";
import type { Keys } from "../support/s3.ts";
import type { Declared } from "./project.ts";

const {
  endpoint,
  keys,
  users = {},
  buckets = {},
} = JSON.parse(readFileSync("declared.json", "utf8")) as Declared & {
  endpoint: string;
  keys: Keys;
};

const provider = new BucketsProvider("s3", { endpoint, ...keys, stack: "kubecamp/test", users: "versitygw" });
const made = new Map(
  Object.entries(users).map(([name, generation]) => [
    name,
    new BucketUser(name, { member: name, generation }, { provider }),
  ]),
);
for (const [name, args] of Object.entries(buckets)) {
  const user = made.get(String(args.member));
  const access: Partial<BucketArgs> =
    user === undefined
      ? {}
      : {
          bucketOwner: user.accessKeyId,
          policy: pulumi
            .all([args.bucketName, user.accessKeyId, args.policy])
            .apply(([bucketName, key, policy]) => withAccess(bucketName, key, policy)),
        };
  new Bucket(name, { ...args, ...access }, { provider });
}
const declared = Object.values(buckets).map(({ bucketName }) => String(bucketName));
for (const { bucketName, member, deletes } of await leavingBuckets(provider, declared)) {
  if (deletes !== undefined) await pulumi.log.warn(`${bucketName} of ${member} goes with ${deletes.objects} objects`);
}
export const secrets = Object.fromEntries([...made].map(([name, user]) => [name, user.secretAccessKey]));
