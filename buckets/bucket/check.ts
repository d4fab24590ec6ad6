import { defaultAcl, defaultBucket } from "../../config/model/settings/defaults.ts";
import { unknown } from "../../naming/pulumiMarks.ts";
import { type Props, plain, type Value } from "../protocol/values.ts";
import { bucketOf, notTakenBack } from "./settings.ts";

/** A mistake in a field, with the remedy. */
interface FieldMistake {
  readonly property: string;
  readonly reason: string;
}

export interface CheckedInputs {
  readonly inputs: Props;
  readonly failures: readonly FieldMistake[];
}

/**
 * A bucket's inputs with their defaults, and changes that no update can make. All other mistakes are those of the
 * configuration, which `config/rules/buckets` finds. Unknown values pass, and secrets stay secret.
 * @param olds the inputs declared before; empty for a new bucket
 * @param server whether it can give buckets to users
 */
export function checkBucket(olds: Props, news: Props, server: { readonly givesBuckets: boolean }): CheckedInputs {
  const given = Object.fromEntries(Object.entries(news).filter(([, value]) => value !== null));
  const acl: Props = given.acl === undefined && given.grants === undefined ? { acl: defaultAcl } : {};
  const inputs = { ...defaultBucket, ...acl, ...given };
  const { bucketName, member } = plain(inputs);
  const { bucketName: before, bucketOwner } = plain(olds);
  const mistake = (property: string, reason: string): FieldMistake => ({
    property,
    reason: `${bucketOf({ bucketName: shown(bucketName), member: shown(member) })}: ${reason}`,
  });
  const isRenamed = typeof before === "string" && bucketName !== unknown && before !== bucketName;
  return {
    inputs,
    failures: [
      ...(isRenamed ? [mistake("bucketName", renamed(before, shown(bucketName)))] : []),
      ...(bucketOwner !== undefined && !server.givesBuckets ? [mistake("bucketOwner", notTakenBack)] : []),
    ],
  };
}

function renamed(before: string, after: string): string {
  return (
    `its name can't change from '${before}' to '${after}': S3 renames no bucket, and a new one would be empty; ` +
    `keep '${before}', or declare '${after}' as a further bucket, copy the objects, and then remove this one`
  );
}

function shown(value: Value | undefined): string {
  return typeof value === "string" && value !== unknown ? value : "?";
}
