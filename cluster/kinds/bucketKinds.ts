import type { Member } from "../../config/member/member.ts";
import { namespaceName } from "../../config/names/names.ts";
import { typeOf } from "../../config/names/urns.ts";
import type { Settings } from "../../config/settings.ts";
import type { CosiSettings } from "../../config/storage/storage.ts";

export type BucketKind = "ConfigMap" | "Secret";

/** Names of the objects for a member's buckets, none without S3 storage; each has the bucket's name in the settings. */
export function bucketObjectNames(member: Pick<Member, "name" | "buckets">, { storage }: Pick<Settings, "storage">) {
  const namespace = namespaceName(member);
  const kinds: readonly BucketKind[] = storage?.kind === "s3" ? ["Secret", "ConfigMap"] : [];
  return (member.buckets ?? []).flatMap(({ name }) => kinds.map((kind) => ({ kind, name, namespace })));
}

/** Kinds of COSI that request a bucket and keys, with their resource names in paths. */
export const cosiKinds = { BucketClaim: "bucketclaims", BucketAccess: "bucketaccesses" } as const;
export type CosiKind = keyof typeof cosiKinds;

export const isCosiKind = (kind: string): kind is CosiKind => Object.hasOwn(cosiKinds, kind);

const cosiVersions = ["v1alpha1", "v1alpha2"] as const;

export const cosiGroup = "objectstorage.k8s.io";

export const cosiVersion = ({ version }: Pick<CosiSettings, "version">) => `${cosiGroup}/${version}`;

export const cosiTypes = (kind: CosiKind): string[] =>
  cosiVersions.map((version) => typeOf({ apiVersion: cosiVersion({ version }), kind }));
