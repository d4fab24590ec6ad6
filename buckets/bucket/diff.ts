import { samePolicy } from "../../config/rules/buckets/bucketPolicy.ts";
import type { FieldChange } from "../protocol/messages.ts";
import { containsUnknowns, type Props, plain, type Value } from "../protocol/values.ts";
import { type DeclaredAcl, sameAcl } from "./acl.ts";

/** Fields that are compared as plain values. */
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
    const change = before[field] === undefined ? "ADD" : after[field] === undefined ? "DELETE" : "UPDATE";
    changes.set(field, change);
  };
  for (const field of plainFields) if (before[field] !== after[field]) record(field);
  if (after.adopt === true && plain(inputs).adopt !== true) record("adopt");
  const known = !containsUnknowns(pick(after, "acl", "grants"));
  if (!known || !sameAcl(aclOf(before), aclOf(after))) {
    for (const field of ["acl", "grants"]) {
      if (JSON.stringify(before[field]) !== JSON.stringify(after[field])) record(field);
    }
  }
  if (!samePolicy(textOf(before.policy), textOf(after.policy))) record("policy");
  return changes;
}

function aclOf(props: Props): DeclaredAcl {
  return pick(props, "acl", "grants") as unknown as DeclaredAcl;
}

function pick(props: Props, ...keys: readonly string[]): Props {
  return Object.fromEntries(Object.entries(props).filter(([key]) => keys.includes(key)));
}

function textOf(value: Value | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
