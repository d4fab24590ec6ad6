import { samePolicy } from "../../config/bucketPolicy.ts";
import type { Change } from "../../protocol/messages.ts";
import { containsUnknowns, type Props, plain, type Value } from "../../protocol/values.ts";
import { type DeclaredAcl, sameAcl } from "./acl.ts";

/** What a run asks the server to change. `adopt` is none of it: it counts at creation alone. */
const plainFields = ["bucketName", "member", "reclaimPolicy", "versioning", "bucketOwner"] as const;

/**
 * Which fields differ between what was declared, or found by a refresh, and what is declared now. Nothing that differs takes
 * a new bucket. What is not known yet differs.
 */
export function diffBucket(olds: Props, news: Props): Map<string, Change> {
  const [before, after] = [plain(olds), plain(news)];
  const changes = new Map<string, Change>();
  const record = (field: string): void => {
    const change = before[field] === undefined ? "ADD" : after[field] === undefined ? "DELETE" : "UPDATE";
    changes.set(field, change);
  };
  for (const field of plainFields) if (before[field] !== after[field]) record(field);
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
