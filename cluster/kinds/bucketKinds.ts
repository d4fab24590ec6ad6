import type { Member, Settings } from "../../config/model/settings.ts";
import { namespaceName } from "../../naming/names.ts";

type OfStorage = Pick<Settings, "storage">;

/** Kinds that what comes with buckets can be of. */
export type BucketKind = "ConfigMap" | "Secret";

/** Kinds of what stands in a member's namespace for each bucket; none where there is nothing that buckets could be on. */
export const bucketKinds = ({ storage }: OfStorage): readonly BucketKind[] =>
  storage?.kind === "s3" ? ["Secret", "ConfigMap"] : [];

/** What stands there for all buckets of a member: each is called as the settings call the bucket. */
export function bucketObjectNames(member: Pick<Member, "name" | "buckets">, settings: OfStorage) {
  const namespace = namespaceName(member);
  const kinds = bucketKinds(settings);
  return (member.buckets ?? []).flatMap(({ name }) => kinds.map((kind) => ({ kind, name, namespace })));
}
