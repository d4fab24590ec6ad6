import { isMap } from "../../config/maps.ts";
import type { Field } from "./field.ts";

const onOff = (value: string | undefined) => (value === "true" ? "on" : "off");

/**
 * Whom a policy lets do what, as `the member; Allow s3:GetObject to *`. What else is in a statement is not told: a condition
 * may have a password in it.
 */
function policyWords(policy: string | undefined): string | undefined {
  const statements = policy === undefined ? [] : statementsOf(policy);
  return statements === undefined ? policy : statements.map(statementWords).filter(isFirst).join("; ") || undefined;
}

const isFirst = (one: string, at: number, all: readonly string[]) => all.indexOf(one) === at;

/** Undefined of what is no policy, such as one that is not shown. */
function statementsOf(policy: string): readonly unknown[] | undefined {
  try {
    const { Statement } = Object(JSON.parse(policy)) as { Statement?: unknown };
    return Statement === undefined ? [] : [Statement].flat();
  } catch {
    return undefined;
  }
}

function statementWords(statement: unknown): string {
  const { Sid, Effect, Action, Principal } = isMap(statement) ? statement : {};
  if (Sid === "kubecampBucket" || Sid === "kubecampObjects") {
    return "the member";
  }
  const who = isMap(Principal) ? Object.values(Principal).flat() : [Principal];
  const words = [
    `${Effect}`,
    [Action ?? "other actions"].flat().join(","),
    "to",
    who.map((one) => one ?? "others").join(","),
  ];
  return words.join(" ");
}

const grants: Field = {
  what: "grants",
  list: (value) => (Array.isArray(value) ? value : []),
  entry: (entry) => {
    const { grantee, permission } = isMap(entry) ? entry : {};
    return typeof grantee === "string" ? `${permission} to ${grantee}` : undefined;
  },
};

/** What has a name of its own of buckets and their users, as `fields` has it of objects. */
export const bucketFields = {
  Bucket: {
    acl: { what: "ACL" },
    // An access key, which says nothing to anybody.
    bucketOwner: { what: "owner on the server", text: (value) => value && "the member" },
    grants,
    policy: { what: "lets in", text: policyWords },
    reclaimPolicy: { what: "reclaimPolicy" },
    versioning: { what: "versioning", text: onOff },
  },
  BucketUser: {
    generation: { what: "generation of the keys to buckets" },
    status: { what: "keys to buckets", text: (value) => (value === "Inactive" ? "closed" : "open") },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Field>>>>;
