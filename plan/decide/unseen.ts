import type { Found } from "../../cluster/read/snapshot.ts";
import { unseenAnnotation } from "../../config/names/labels.ts";
import { bucketInputs, bucketUserInputs } from "../../objects/buckets/bucketInputs.ts";
import { digestOf } from "../live/changedFields.ts";
import type { MemberPlan } from "../members/memberPlan.ts";
import { isRead } from "../rows/manifest.ts";

export const digestOn = (live: Found): string | undefined => live.annotations[unseenAnnotation];

export function bucketDigest({ member, settings, objects }: Pick<MemberPlan, "member" | "settings" | "objects">) {
  const { buckets = [] } = member;
  return settings.storage === undefined || buckets.length === 0
    ? undefined
    : digestOf([
        buckets.map((bucket) => bucketInputs(member, bucket, "key")),
        bucketUserInputs(member),
        objects.filter((object) => !isRead(object)).map(({ args }) => args),
      ]);
}
