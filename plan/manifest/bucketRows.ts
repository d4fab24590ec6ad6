import { isCosiKind } from "../../cluster/kinds/cosi.ts";
import type { ObjectName } from "../../cluster/read/snapshot.ts";
import type { MemberBucket } from "../../config/model/settings.ts";
import { bucketLabel } from "../../naming/labels.ts";
import type { BucketPart } from "../../naming/logicalNames.ts";
import { leftBucketFields } from "../decisions/buckets/names.ts";
import type { BucketObject } from "../objects/buckets/bucketObject.ts";
import { bucketObjects } from "../objects/buckets/bucketObjects.ts";
import type { Made, MemberFacts, PlannedKind, Row } from "./row.ts";
import { nameOnly } from "./said.ts";

/** What says in the namespace how each of the member's buckets is reached, or asks for it. */
function ofBuckets(part: BucketPart, kind: BucketObject["kind"]): Row<MemberFacts> {
  return {
    part: `bucket/*/${part}`,
    varies: ({ buckets = [] }) => buckets.map(({ name }) => name),
    kind,
    place: "home",
    name: (_, bucket) => bucket,
    lifetime: "withNamespace",
    // After the bucket, or what asks for it; and after whose keys these are, also where nothing is said of them.
    after: (there, bucket) => [
      ...there(`bucket/${bucket}`, ...(part === "access" ? [`bucket/${bucket}/claim`] : [])),
      ...(part === "secret" ? there("bucket-user") : []),
    ],
    is: ({ metadata }) => metadata.labels?.[bucketLabel] === metadata.name,
    // What stands in its way, whoever plans it leaves out.
    oursBy: "always",
    // Another one takes the place of what differs in anything: whoever put their own there with our labels may have made it
    // immutable, and to change it would fail, and with it the run for everybody else.
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
        ? { ...made, build: nameOnly(bucket.name, member), marked: "none", left: leftBucketFields[kind] }
        : { ...made, marked: "metadata" };
    });
}

/** What comes with each bucket: on a server of kubecamp's the first two, from a driver the others. */
export const bucketRows: readonly Row<MemberFacts>[] = [
  ofBuckets("secret", "Secret"),
  ofBuckets("config", "ConfigMap"),
  ofBuckets("claim", "BucketClaim"),
  ofBuckets("access", "BucketAccess"),
];
