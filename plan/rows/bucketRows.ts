import { type BucketKind, isCosiKind } from "../../cluster/kinds/bucketKinds.ts";
import type { ObjectName } from "../../cluster/kinds/objectName.ts";
import { bucketLabel } from "../../config/names/labels.ts";
import type { BucketPart } from "../../config/names/logicalNames.ts";
import type { MemberBucket } from "../../config/storage/buckets.ts";
import { type BucketObject, bucketObjects } from "../../objects/buckets/bucketObjects.ts";
import { type Made, type MemberFacts, nameOnly, type PlannedKind, type Row } from "./row.ts";

function ofBuckets(part: BucketPart, kind: BucketObject["kind"]): Row<MemberFacts> {
  return {
    part: `bucket/*/${part}`,
    varies: ({ buckets = [] }) => buckets.map(({ name }) => name),
    kind,
    name: (_, bucket) => bucket,
    // After the bucket or its claim. The Secret also follows the user whose keys it holds, even if the run leaves it alone.
    after: (there, bucket) => [
      ...there(`bucket/${bucket}`, ...(part === "access" ? [`bucket/${bucket}/claim`] : [])),
      ...(part === "secret" ? there("bucket-user") : []),
    ],
    is: ({ metadata }) => metadata.labels?.[bucketLabel] === metadata.name,
    // The plan of buckets leaves out names that another object has.
    oursBy: "always",
    // Replace it for any change: someone may have put an immutable one there with our labels, and the failing update
    // would fail the run for everybody else.
    ...(isCosiKind(kind) ? {} : { replaced: { replaceOnChanges: ["*"], deleteBeforeReplace: true } }),
    made: (facts) => (facts.member.buckets ?? []).flatMap((bucket) => ofBucket(facts, bucket, part)),
  };
}

function ofBucket({ member, settings, buckets }: MemberFacts, bucket: MemberBucket, part: BucketPart): Made[] {
  const isAmong = (objects: readonly ObjectName[] = [], kind: PlannedKind) =>
    objects.some((object) => object.kind === kind && object.name === bucket.name);
  return bucketObjects(member, bucket, settings)
    .filter((object) => object.part === part && !isAmong(buckets?.leftOut, object.kind))
    .map(({ part: _, apiVersion, kind, ...args }): Made => {
      const made = { vary: bucket.name, apiVersion, build: () => args };
      if (isCosiKind(kind)) {
        return { ...made, marked: "none" };
      }
      return isAmong(buckets?.left, kind)
        ? { ...made, build: nameOnly(bucket.name, member), marked: "none", ignored: ignoredBucketFields[kind] }
        : { ...made, marked: "metadata" };
    });
}

export const bucketRows: readonly Row<MemberFacts>[] = [
  ofBuckets("secret", "Secret"),
  ofBuckets("config", "ConfigMap"),
  ofBuckets("claim", "BucketClaim"),
  ofBuckets("access", "BucketAccess"),
];

const ignoredBucketFields: Readonly<Record<BucketKind, readonly string[]>> = {
  ConfigMap: ["metadata", "immutable", "data"],
  Secret: ["metadata", "immutable", "type", "data"],
};
