import type { Member } from "../../config/model/members/member.ts";
import type { Settings } from "../../config/model/settings/settings.ts";
import { namespaceName } from "../../naming/names.ts";

type OfStorage = Pick<Settings, "storage">;

/** Kinds of the objects that come with buckets. */
export type BucketKind = "ConfigMap" | "Secret";

/** Kinds of the objects for each bucket in a member's namespace; empty without S3 storage. */
const bucketKinds = ({ storage }: OfStorage): readonly BucketKind[] =>
  storage?.kind === "s3" ? ["Secret", "ConfigMap"] : [];

/** Names of the objects for a member's buckets; each has the bucket's name in the settings. */
export function bucketObjectNames(member: Pick<Member, "name" | "buckets">, settings: OfStorage) {
  const namespace = namespaceName(member);
  const kinds = bucketKinds(settings);
  return (member.buckets ?? []).flatMap(({ name }) => kinds.map((kind) => ({ kind, name, namespace })));
}
