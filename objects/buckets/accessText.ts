import { isDeepStrictEqual } from "node:util";
import { keyToCome, ownStatements } from "../../buckets/bucket/access.ts";
import { defaultAcl } from "../../config/storage/buckets.ts";
import { isMap, jsonIn } from "../../config/values/maps.ts";
import { valueAt } from "../../config/values/mistakes.ts";
import type { Inputs } from "../field.ts";

const theMember = "the member";

/** Statements of a policy, as `the member; Allow s3:GetObject to *`; without conditions, which may hold a password. */
export function policyText(policy: string | undefined, inputs: Inputs): string | undefined {
  const statements = statementTexts(policy, inputs);
  return statements === undefined ? policy : statements.filter(isFirst).join("; ") || undefined;
}

const isFirst = (one: string, at: number, all: readonly string[]) => all.indexOf(one) === at;

/**
 * Recognizes kubecamp's own statements by their whole content, since anybody may use their names, and the member by the
 * access key that kubecamp has made. For given keys, it names the key. Undefined for text that is no policy, such as a
 * hidden one.
 */
function statementTexts(policy: string | undefined, { bucketName, bucketOwner }: Inputs): string[] | undefined {
  const document = policy === undefined ? {} : jsonIn(policy);
  if (document === undefined) {
    return undefined;
  }
  const statements = [valueAt(document, ["Statement"]) ?? []].flat();
  const who = String(valueAt(statements, [0, "Principal", "AWS", 0]));
  const partition = /^arn:([^:]+):/.exec(String(valueAt(statements, [0, "Resource"])))?.[1];
  const own = ownStatements(String(bucketName), who, partition);
  if (!isDeepStrictEqual(statements.slice(0, own.length), own)) {
    return statements.map(statementText);
  }
  const isMembers = bucketOwner !== undefined && [bucketOwner, keyToCome].includes(who);
  const first = isMembers ? theMember : `what a member may, to ${who}`;
  return [first, ...statements.slice(own.length).map(statementText)];
}

function statementText(statement: unknown): string {
  const { Effect, Action, Principal } = isMap(statement) ? statement : {};
  const who = isMap(Principal) ? Object.values(Principal).flat() : [Principal];
  return `${Effect} ${[Action ?? "other actions"].flat().join(",")} to ${who.map((one) => one ?? "others").join(",")}`;
}

export const grantText = ({ grantee, permission }: Inputs) =>
  typeof grantee === "string" ? `${permission} to ${grantee}` : undefined;

/** Access to a bucket beyond its member's, such as `ACL public-read` or `Allow s3:GetObject to *`. */
export function furtherAccess(inputs: Inputs): string[] {
  const { acl, grants, policy } = inputs;
  const text = typeof policy === "string" ? policy : undefined;
  return [
    ...((acl ?? defaultAcl) === defaultAcl ? [] : [`ACL ${acl}`]),
    ...(Array.isArray(grants) ? grants.map((one) => grantText(Object(one)) ?? JSON.stringify(one)) : []),
    ...(statementTexts(text, inputs) ?? [`policy ${text}`]).filter((one) => one !== theMember),
  ].filter(isFirst);
}
