import type { Member } from "../../config/model/members/member.ts";
import type { Settings } from "../../config/model/settings/settings.ts";
import { namespaceName } from "../../naming/names.ts";

/** Kinds of the objects that come with buckets. */
export type BucketKind = "ConfigMap" | "Secret";

/** Names of the objects for a member's buckets, none without S3 storage; each has the bucket's name in the settings. */
export function bucketObjectNames(member: Pick<Member, "name" | "buckets">, { storage }: Pick<Settings, "storage">) {
  const namespace = namespaceName(member);
  const kinds: readonly BucketKind[] = storage?.kind === "s3" ? ["Secret", "ConfigMap"] : [];
  return (member.buckets ?? []).flatMap(({ name }) => kinds.map((kind) => ({ kind, name, namespace })));
}
