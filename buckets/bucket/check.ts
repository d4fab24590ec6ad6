import { unknown } from "../../config/names/pulumiMarks.ts";
import { samePolicy } from "../../config/storage/bucketPolicy.ts";
import { defaultAcl, defaultBucket } from "../../config/storage/buckets.ts";
import type { FieldChange } from "../protocol/messages.ts";
import { containsUnknowns, type Props, plain, type Value } from "../protocol/values.ts";
import { type DeclaredAcl, sameAcl } from "./acl.ts";
import { bucketOf, notTakenBack } from "./settings.ts";

export interface CheckedInputs {
  readonly inputs: Props;
  /** Mistakes in fields, with the remedy. */
  readonly failures: readonly { readonly property: string; readonly reason: string }[];
}

/**
 * A bucket's inputs with their defaults, and changes that no update can make. All other mistakes are those of the
 * configuration, which `config/storage/` finds. Unknown values pass, and secrets stay secret.
 */
export function checkBucket(olds: Props, news: Props, server: { readonly givesBuckets: boolean }): CheckedInputs {
  const given = Object.fromEntries(Object.entries(news).filter(([, value]) => value !== null));
  const acl: Props = given.acl === undefined && given.grants === undefined ? { acl: defaultAcl } : {};
  const inputs = { ...defaultBucket, ...acl, ...given };
  const { bucketName, member } = plain(inputs);
  const { bucketName: before, bucketOwner } = plain(olds);
  const mistake = (property: string, reason: string) => ({
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

const plainFields = ["bucketName", "member", "reclaimPolicy", "versioning", "bucketOwner"] as const;

/**
 * Fields that differ between the state (declared last, or found by a refresh) and the new inputs. None replaces the bucket.
 * Unknown values differ. `adopt` differs only once set to true, to retake a bucket whose tags no longer name this stack.
 * @param inputs the last declared inputs, if known: a run without a difference leaves `olds` unchanged
 */
export function diffBucket(olds: Props, news: Props, inputs: Props = olds): Map<string, FieldChange> {
  const [before, after] = [plain(olds), plain(news)];
  const changes = new Map<string, FieldChange>();
  const record = (field: string): void => {
    const change = after[field] === undefined ? "DELETE" : "UPDATE";
    changes.set(field, before[field] === undefined ? "ADD" : change);
  };
  for (const field of plainFields) {
    if (before[field] !== after[field]) {
      record(field);
    }
  }
  if (after.adopt === true && plain(inputs).adopt !== true) {
    record("adopt");
  }
  const known = !containsUnknowns(pick(after, "acl", "grants"));
  if (!known || !sameAcl(aclOf(before), aclOf(after))) {
    for (const field of ["acl", "grants"]) {
      if (JSON.stringify(before[field]) !== JSON.stringify(after[field])) {
        record(field);
      }
    }
  }
  if (!samePolicy(textOf(before.policy), textOf(after.policy))) {
    record("policy");
  }
  return changes;
}

const aclOf = (props: Props) => pick(props, "acl", "grants") as unknown as DeclaredAcl;

function pick(props: Props, ...keys: readonly string[]): Props {
  return Object.fromEntries(Object.entries(props).filter(([key]) => keys.includes(key)));
}

const textOf = (value: Value | undefined) => (typeof value === "string" ? value : undefined);
