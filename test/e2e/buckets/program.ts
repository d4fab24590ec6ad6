/** The program of these tests: declares the contents of declared.json in its folder. */
import { readFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";
import { withAccess } from "../../../buckets/bucket/access.ts";
import { Bucket, type BucketArgs, BucketsProvider, BucketUser, leavingBuckets } from "../../../buckets/resources.ts";
import type { Keys } from "../support/s3.ts";
import type { Declared } from "./project.ts";

const {
  endpoint,
  keys,
  users = {},
  inactive = [],
  buckets = {},
} = JSON.parse(readFileSync("declared.json", "utf8")) as Declared & {
  endpoint: string;
  keys: Keys;
};

const provider = new BucketsProvider("s3", { endpoint, ...keys, stack: "kubecamp/test", users: "versitygw" });
const made = new Map(
  Object.entries(users).map(([name, generation]) => [
    name,
    new BucketUser(
      name,
      { member: name, generation, ...(inactive.includes(name) ? { status: "Inactive" } : {}) },
      { provider },
    ),
  ]),
);
const keyOf = pulumi.all(Object.fromEntries([...made].map(([name, { accessKeyId }]) => [name, accessKeyId])));
const filled = <T>(value: T): pulumi.Output<T> =>
  keyOf.apply<T>((keyOf) =>
    JSON.parse(JSON.stringify(value).replace(/<(\w+)>/g, (_, name: string) => keyOf[name] ?? "")),
  );

for (const [name, { policy, grants, ...args }] of Object.entries(buckets)) {
  const isActive = !inactive.includes(args.member);
  const user = isActive ? made.get(args.member) : undefined;
  const own = policy === undefined || !isActive ? undefined : filled(policy);
  const access: Partial<BucketArgs> =
    user === undefined
      ? own === undefined
        ? {}
        : { policy: own }
      : {
          bucketOwner: user.accessKeyId,
          policy: pulumi.all([user.accessKeyId, own]).apply(([key, own]) => withAccess(args.bucketName, key, own)),
        };
  new Bucket(
    name,
    { ...args, ...access, ...(grants === undefined ? {} : { grants: filled([...grants]) }) },
    { provider },
  );
}
const declared = Object.values(buckets).map(({ bucketName }) => bucketName);
for (const { bucketName, member, deletes } of await leavingBuckets(provider, declared)) {
  if (deletes !== undefined) {
    await pulumi.log.warn(`${bucketName} of ${member} goes with ${deletes.objects} objects`);
  }
}
export const secrets = Object.fromEntries([...made].map(([name, user]) => [name, user.secretAccessKey]));
