import { isDeepStrictEqual } from "node:util";
import { keyToCome, ownStatements } from "../../../buckets/bucket/access.ts";
import { jsonIn } from "../../../config/model/json.ts";
import { isMap } from "../../../config/model/maps.ts";
import { defaultAcl } from "../../../config/model/settings/defaults.ts";
import { type Fields, list } from "../../../plan/objects/field.ts";
import { type Inputs, maskedText, masking } from "./values.ts";

const onOff = (value: string | undefined) => (value === "true" ? "on" : "off");

/**
 * A policy's statements in words, such as `the member; Allow s3:GetObject to *`. Leaves out their other fields: a
 * condition may contain a password.
 */
function policyWords(policy: string | undefined, inputs: Inputs): string | undefined {
  const statements = policy === undefined ? [] : statementsOf(policy);
  return statements === undefined ? policy : wordsOf(statements, inputs).filter(isFirst).join("; ") || undefined;
}

const isFirst = (one: string, at: number, all: readonly string[]) => all.indexOf(one) === at;

/** Undefined for text that is no policy, such as a hidden one. */
function statementsOf(policy: string): readonly unknown[] | undefined {
  const document = jsonIn(policy);
  const { Statement } = Object(document) as { Statement?: unknown };
  return document === undefined ? undefined : Statement === undefined ? [] : [Statement].flat();
}

/**
 * Recognizes kubecamp's own statements by their whole content, since anybody may use their names, and the member by the
 * access key that kubecamp has made. For given keys, it names the key.
 */
function wordsOf(statements: readonly unknown[], { bucketName, bucketOwner }: Inputs): readonly string[] {
  const who = principalOf(statements[0]);
  const partition = /^arn:([^:]+):/.exec(String(Object(statements[0]).Resource))?.[1];
  const own = ownStatements(String(bucketName), who ?? "", partition);
  if (who === undefined || !isDeepStrictEqual(statements.slice(0, own.length), own)) {
    return statements.map(statementWords);
  }
  const isMembers = bucketOwner !== undefined && [bucketOwner, keyToCome].includes(who);
  const first = isMembers ? theMember : `what a member may, to ${who}`;
  return [first, ...statements.slice(own.length).map(statementWords)];
}

const theMember = "the member";

function principalOf(statement: unknown): string | undefined {
  const principal = isMap(statement) && isMap(statement.Principal) ? statement.Principal.AWS : undefined;
  const [who, ...others] = Array.isArray(principal) ? (principal as unknown[]) : [];
  return typeof who === "string" && others.length === 0 ? who : undefined;
}

function statementWords(statement: unknown): string {
  const { Effect, Action, Principal } = isMap(statement) ? statement : {};
  const who = isMap(Principal) ? Object.values(Principal).flat() : [Principal];
  const words = [
    `${Effect}`,
    [Action ?? "other actions"].flat().join(","),
    "to",
    who.map((one) => one ?? "others").join(","),
  ];
  return words.join(" ");
}

/** Access to a bucket beyond its member's, such as `ACL public-read` or `Allow s3:GetObject to *`. */
export function bucketAccess(inputs: Inputs): string[] {
  const { acl, grants: granted, policy } = inputs;
  const list = maskedText(acl) ?? defaultAcl;
  const text = maskedText(policy);
  const statements = text === undefined ? [] : statementsOf(text);
  const words = statements === undefined ? [`policy ${text}`] : wordsOf(statements, inputs);
  return [
    ...(list === defaultAcl ? [] : [`ACL ${list}`]),
    ...(Array.isArray(granted) ? granted.map((one) => grantText(masking(one)) ?? maskedText(one) ?? "") : []),
    ...words.filter((one) => one !== theMember),
  ].filter(isFirst);
}

function grantText(entry: unknown): string | undefined {
  const { grantee, permission } = isMap(entry) ? entry : {};
  return typeof grantee === "string" ? `${permission} to ${grantee}` : undefined;
}

/** Named fields of buckets and their users, as in `fields`. */
export const bucketFields = {
  Bucket: {
    acl: { what: "ACL" },
    // The access key would mean nothing to readers.
    bucketOwner: { what: "owner on the server", text: (value) => value && "the member" },
    grants: list("grants", grantText),
    policy: { what: "lets in", text: policyWords },
    reclaimPolicy: { what: "reclaimPolicy" },
    versioning: { what: "versioning", text: onOff },
  },
  BucketUser: {
    generation: { what: "generation of the keys to buckets" },
    status: { what: "keys to buckets", text: (value) => (value === "Inactive" ? "closed" : "open") },
  },
} as const satisfies Readonly<Record<string, Fields>>;
