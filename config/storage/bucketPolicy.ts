/** Bucket policies: JSON in the language of AWS IAM. */
import { isMap, jsonIn } from "../values/maps.ts";

const statementKeys = [
  "Sid",
  "Effect",
  "Principal",
  "NotPrincipal",
  "Action",
  "NotAction",
  "Resource",
  "NotResource",
  "Condition",
];

const versions = ["2012-10-17", "2008-10-17"];

/** Keys that mean everything except the listed items, with their positive counterparts. */
const exceptions = { NotPrincipal: "Principal", NotAction: "Action", NotResource: "Resource" } as const;

/**
 * Mistakes in a bucket's policy, each with its remedy. Only the server knows whether the principals exist.
 * @param server versitygw accepts statements with exceptions but ignores these keys: `Deny` with `NotAction` denies
 * nothing there
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-policy-language-overview.html
 */
export function policyMistakes(text: string, bucketName: string, server?: "versitygw"): string[] {
  const policy = parsed(text);
  if (policy instanceof Error) {
    return [`is no JSON (${policy.message}); give the policy document as JSON text`];
  }
  if (!isMap(policy)) {
    return ["is no JSON object; give a document with 'Version' and 'Statement'"];
  }
  const unknown = Object.keys(policy).filter((key) => !["Version", "Id", "Statement"].includes(key));
  const statements = listOf(policy.Statement);
  return [
    ...unknown.map((key) => `has the unknown key '${key}'; a policy has 'Version', 'Id' and 'Statement'`),
    ...(policy.Version === undefined || versions.includes(String(policy.Version))
      ? []
      : [`has the Version ${JSON.stringify(policy.Version)}; use "${versions[0]}"`]),
    ...(statements.length === 0 ? ["has no 'Statement'; give at least one, or leave the policy out"] : []),
    ...statements.flatMap((statement, index) =>
      [
        ...statementMistakes(statement, bucketName),
        ...(server === "versitygw" && isMap(statement) ? exceptionMistakes(statement) : []),
      ].map((mistake) => `Statement[${index}] ${mistake}`),
    ),
  ];
}

function exceptionMistakes(statement: Readonly<Record<string, unknown>>): string[] {
  const ignored = "which versitygw ignores: the statement would give access to too many";
  return Object.entries(exceptions)
    .filter(([not]) => statement[not] !== undefined)
    .map(([not, key]) => `has '${not}', ${ignored}; name with '${key}' what the statement is for`);
}

function statementMistakes(statement: unknown, bucketName: string): string[] {
  if (!isMap(statement)) {
    return ["is no JSON object"];
  }
  const has = (key: string) => statement[key] !== undefined;
  const either = (key: string) =>
    has(key) === has(`Not${key}`) ? [`needs one of '${key}' and 'Not${key}', and not both`] : [];
  const actions = listOf(statement.Action ?? statement.NotAction);
  const resources = listOf(statement.Resource ?? statement.NotResource);
  return [
    ...Object.keys(statement)
      .filter((key) => !statementKeys.includes(key))
      .map((key) => `has the unknown key '${key}'; known are ${statementKeys.join(", ")}`),
    ...(statement.Effect === "Allow" || statement.Effect === "Deny" ? [] : ['needs the Effect "Allow" or "Deny"']),
    ...["Principal", "Action", "Resource"].flatMap(either),
    ...actions
      .filter((action) => typeof action !== "string" || !/^(\*|s3:[A-Za-z*?]+)$/i.test(action))
      .map((action) => `has the Action ${JSON.stringify(action)}, which is no action of S3: they begin with "s3:"`),
    ...resources
      .filter((resource) => !isWithin(resource, bucketName))
      .map(
        (resource) =>
          `has the Resource ${JSON.stringify(resource)}, which is not in this bucket: ` +
          `use "arn:aws:s3:::${bucketName}" and "arn:aws:s3:::${bucketName}/*"`,
      ),
  ];
}

function isWithin(resource: unknown, bucketName: string): boolean {
  if (typeof resource !== "string") {
    return false;
  }
  const [, named] = /^arn:[a-z0-9-]+:s3:::(.*)$/s.exec(resource) ?? [];
  return named === bucketName || (named?.startsWith(`${bucketName}/`) ?? false);
}

/** Whether two policies mean the same: servers return a list of one as text, and keys in their own order. */
export function samePolicy(one: string | undefined, other: string | undefined): boolean {
  return one === other || (one !== undefined && other !== undefined && canonical(one) === canonical(other));
}

function canonical(text: string): string {
  const policy = parsed(text);
  return policy instanceof Error ? text : JSON.stringify(ordered(policy, ""));
}

function ordered(value: unknown, key: string): unknown {
  if (Array.isArray(value)) {
    // The order of statements matters; the order of a statement's lists does not.
    const items = value.map((item) => ordered(item, ""));
    return key === "Statement" ? items : [...new Set(items.map((item) => JSON.stringify(item)).sort())];
  }
  if (isMap(value)) {
    const keys = Object.keys(value).sort();
    return Object.fromEntries(keys.map((each) => [each, ordered(lone(each, value[each]), each)]));
  }
  return value;
}

function lone(key: string, value: unknown): unknown {
  const listable = ["Statement", "Action", "NotAction", "Resource", "NotResource", "AWS"].includes(key);
  return listable && value !== undefined && !Array.isArray(value) ? [value] : value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

const listOf = (value: unknown): unknown[] => (value === undefined || value === null ? [] : [value].flat());

/**
 * A bucket's policy that no longer lets these principals in by name. Statements that deny them something stay, and
 * exceptions for them are removed. They still get in as part of everyone, or of an account.
 * @param policy JSON text; other text is returned unchanged, for the check to report
 * @returns undefined if no statement is left
 */
export function policyWithout(policy: string, principals: ReadonlySet<string>): string | undefined {
  const document = jsonIn(policy);
  if (!isMap(document)) {
    return policy;
  }
  const statements = [document.Statement].flat();
  const left = statements.flatMap((statement) => statementWithout(statement, principals));
  if (left.length === statements.length && left.every((statement, at) => statement === statements[at])) {
    return policy;
  }
  return left.length === 0 ? undefined : JSON.stringify({ ...document, Statement: left });
}

/** Principals that a bucket's policy lets in by name, rather than as everyone. */
export function principalsIn(policy: string): ReadonlySet<string> {
  const document = jsonIn(policy);
  const statements = isMap(document) ? [document.Statement].flat() : [];
  const named = statements.flatMap((each) => (isMap(each) && each.Effect === "Allow" ? textsIn(each.Principal) : []));
  return new Set(named.filter((principal) => principal !== "*"));
}

/** Principals are a text, a list, or a map of either by their kind, such as `AWS`. */
function textsIn(value: unknown): string[] {
  if (isMap(value)) {
    return Object.values(value).flatMap(textsIn);
  }
  return [value].flat().filter((each) => typeof each === "string");
}

/** Returns the same object if nothing changes. */
function statementWithout(statement: unknown, principals: ReadonlySet<string>): unknown[] {
  if (!isMap(statement)) {
    return [statement];
  }
  const { Effect, Principal, NotPrincipal, ...rest } = statement;
  const names = (value: unknown) => textsIn(value).some((each) => principals.has(each));
  if (Effect === "Allow" && names(Principal)) {
    const left = without(Principal, principals);
    return left === undefined ? [] : [{ Effect, Principal: left, ...rest }];
  }
  if (Effect === "Deny" && names(NotPrincipal)) {
    const left = without(NotPrincipal, principals);
    return [{ Effect, ...(left === undefined ? { Principal: "*" } : { NotPrincipal: left }), ...rest }];
  }
  return [statement];
}

function without(value: unknown, principals: ReadonlySet<string>): unknown {
  if (isMap(value)) {
    const left = Object.entries(value).flatMap(([kind, each]) => {
      const others = without(each, principals);
      return others === undefined ? [] : [[kind, others] as const];
    });
    return left.length === 0 ? undefined : Object.fromEntries(left);
  }
  const left = [value].flat().filter((each) => typeof each !== "string" || !principals.has(each));
  if (left.length === 0) {
    return undefined;
  }
  return Array.isArray(value) ? left : value;
}
