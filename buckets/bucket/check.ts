import { cannedAcls, permissions } from "../../config/model/settings/bucketAccess.ts";
import { defaultAcl, defaultBucket } from "../../config/model/settings/defaults.ts";
import { isBucketName } from "../../config/rules/buckets/bucketName.ts";
import { policyMistakes } from "../../config/rules/buckets/bucketPolicy.ts";
import { unknown } from "../../naming/pulumiMarks.ts";
import { type Props, plain, propsOf, type Value } from "../protocol/values.ts";
import { notTakenBack } from "./owner.ts";
import { bucketOf, reclaimPolicies } from "./settings.ts";

/** A mistake in a field, with the remedy. */
export interface FieldMistake {
  readonly property: string;
  readonly reason: string;
}

export interface CheckedInputs {
  readonly inputs: Props;
  readonly failures: readonly FieldMistake[];
}

const fields = [
  "bucketName",
  "member",
  "reclaimPolicy",
  "acl",
  "grants",
  "policy",
  "versioning",
  "bucketOwner",
  "adopt",
  "quotaMiB",
];

/**
 * A bucket's inputs with their defaults, and the mistakes in them. Unknown values pass, and secrets stay secret.
 * @param olds the inputs declared before; empty for a new bucket
 * @param server whether it can give buckets to users
 */
export function checkBucket(olds: Props, news: Props, server: { readonly givesBuckets: boolean }): CheckedInputs {
  const inputs = withDefaults(news);
  const given = plain(inputs);
  const failures: FieldMistake[] = [];
  const who = bucketOf({ bucketName: shown(given.bucketName), member: shown(given.member) });
  const wrong = (property: string, reason: string): void =>
    void failures.push({ property, reason: `${who}: ${reason}` });

  for (const key of Object.keys(given)) {
    if (!fields.includes(key)) wrong(key, `'${key}' is unknown; known are ${fields.join(", ")}`);
  }
  text(given.member, () => wrong("member", "'member' has to name the bucket's member"));
  const name = text(given.bucketName, () => wrong("bucketName", "'bucketName' is missing; give the bucket a name"));
  if (name !== undefined && !isBucketName(name)) {
    wrong(
      "bucketName",
      "that is not a valid bucket name; use 3 to 63 small letters, digits, '-' and '.', with a letter or digit at both ends",
    );
  }
  const before = plain(olds).bucketName;
  if (name !== undefined && typeof before === "string" && before !== name) {
    wrong("bucketName", renamed(before, name));
  }
  oneOf(given.reclaimPolicy, reclaimPolicies, (allowed) => wrong("reclaimPolicy", `'reclaimPolicy' is ${allowed}`));
  oneOf(given.acl, cannedAcls, (allowed) => wrong("acl", `'acl' is ${allowed}`));
  if (given.grants !== undefined && given.acl !== undefined) {
    wrong("grants", "'acl' and 'grants' exclude each other; keep one of them");
  }
  for (const mistake of grantMistakes(given.grants)) wrong("grants", mistake);
  for (const key of ["versioning", "adopt"] as const) {
    if (given[key] !== unknown && typeof given[key] !== "boolean") wrong(key, `'${key}' is true or false`);
  }
  if (given.policy !== undefined && given.policy !== unknown) {
    if (typeof given.policy !== "string") wrong("policy", "the policy is no text; give it as JSON text");
    else if (name !== undefined)
      // Only versitygw changes owners.
      for (const each of policyMistakes(given.policy, name, server.givesBuckets ? "versitygw" : undefined))
        wrong("policy", `the policy ${each}`);
  }
  if (plain(olds).bucketOwner !== undefined && !server.givesBuckets) {
    wrong("bucketOwner", notTakenBack);
  } else if (given.bucketOwner !== undefined) {
    text(given.bucketOwner, () => wrong("bucketOwner", "'bucketOwner' is no text; give the access key of a user"));
    if (!server.givesBuckets) {
      wrong(
        "bucketOwner",
        "this server can't give a bucket another owner; leave 'bucketOwner' out, and let users in by 'policy'",
      );
    }
  }
  if (given.quotaMiB !== undefined) {
    wrong("quotaMiB", "this server has no quotas for buckets; leave 'quotaMiB' out");
  }
  return { inputs, failures };
}

function withDefaults(news: Props): Props {
  const given = Object.fromEntries(Object.entries(news).filter(([, value]) => value !== null));
  const acl: Props = given.acl === undefined && given.grants === undefined ? { acl: defaultAcl } : {};
  return { ...defaultBucket, ...acl, ...given };
}

function renamed(before: string, after: string): string {
  return (
    `its name can't change from '${before}' to '${after}': S3 renames no bucket, and a new one would be empty; ` +
    `keep '${before}', or declare '${after}' as a further bucket, copy the objects, and then remove this one`
  );
}

function grantMistakes(grants: Value | undefined): string[] {
  if (grants === undefined || grants === unknown) return [];
  if (!Array.isArray(grants)) return ["'grants' is no list; give entries with 'grantee' and 'permission'"];
  return grants.flatMap((grant, index) => {
    if (grant === unknown) return [];
    const { grantee, permission } = propsOf(grant);
    const mistakes: string[] = [];
    text(grantee, () => mistakes.push(`grants[${index}] has no 'grantee'; give a canonical user ID or a group's URI`));
    oneOf(permission ?? "", permissions, (allowed) => mistakes.push(`grants[${index}].permission is ${allowed}`));
    return mistakes;
  });
}

/** The text; undefined if it is unknown or missing. `missing` is called for the latter. */
function text(value: Value | undefined, missing: () => void): string | undefined {
  if (value === unknown) return undefined;
  if (typeof value === "string" && value !== "") return value;
  missing();
  return undefined;
}

function oneOf(value: Value | undefined, allowed: readonly string[], wrong: (allowed: string) => void): void {
  if (value === undefined || value === unknown || (typeof value === "string" && allowed.includes(value))) return;
  wrong(`one of ${allowed.join(", ")}, and not ${JSON.stringify(value)}`);
}

function shown(value: Value | undefined): string {
  return typeof value === "string" && value !== unknown ? value : "?";
}
