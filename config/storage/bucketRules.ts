import { homeNames } from "../names/names.ts";
import type { Candidate, Rule, RuleContext } from "../rule.ts";
import { isMap, when } from "../values/maps.ts";
import { plainMistake, type RawMistake, valueMistake } from "../values/mistakes.ts";
import { encryptCommand } from "../values/secretKeys.ts";
import { bucketNameRule, isBucketName } from "../values/values.ts";
import { hasGivenKeys } from "./bucketKeys.ts";
import { policyMistakes } from "./bucketPolicy.ts";
import { allUsers, type BucketEntry, bucketNameOf, bucketPolicyText } from "./buckets.ts";
import { defaultStorage } from "./storage.ts";

type Declared = ReturnType<typeof bucketsOf>[number];

export const bucketRule: Rule = (all) => {
  const declared = all.candidates.flatMap((candidate) => bucketsOf(candidate));
  const kind = all.isKnown("storage", "kind") ? (all.entry.storage?.kind ?? defaultStorage.kind) : undefined;
  return [
    ...all.candidates.flatMap((candidate) => [...baseMistakes(candidate, all), ...generationMistakes(candidate, all)]),
    ...declared.flatMap(ownNameMistakes),
    ...sameNameMistakes(declared),
    ...(kind === "cosi" ? declared.flatMap(claimMistakes) : []),
    ...(kind === "s3"
      ? [
          ...serverNameMistakes(declared, all),
          ...declared.flatMap((each) => [...accessMistakes(each, all), ...takeoverMistakes(each, all)]),
        ]
      : []),
  ];
};

const hasBuckets = ({ entry: { buckets = [] } }: Candidate) => buckets.length > 0;

const bucketsOf = (candidate: Candidate) =>
  [...(candidate.entry.buckets ?? []).entries()].flatMap(([at, bucket]) =>
    bucket === undefined ? [] : [{ candidate, at, bucket, path: ["members", candidate.index, "buckets", at] }],
  );

function baseMistakes(candidate: Candidate, context: RuleContext): readonly RawMistake[] {
  const { index, entry } = candidate;
  const { raw, entry: stack } = context;
  const path = ["members", index, "buckets"];
  if (!hasBuckets(candidate)) {
    return [];
  }
  if (raw.storage === undefined) {
    return [plainMistake(path, "needs a server, and none is set; set kubecamp:storage, or leave buckets out")];
  }
  const isKnown = ["kind", "users"].every((key) => context.isKnown("storage", key)) && isMap(raw.storage);
  const makesKeys = stack.storage?.kind === "cosi" || stack.storage?.users !== undefined;
  if (entry.member === undefined || !isKnown || makesKeys || hasGivenKeys(context, entry.member) !== false) {
    return [];
  }
  const place = ["bucketKeys", entry.member];
  const message =
    "needs keys; set storage.users if the server is versitygw, or give keys: " +
    `pulumi config set --path kubecamp:${place.join(".")}.accessKeyId KEY, and ${encryptCommand([...place, "secretAccessKey"])}`;
  return [plainMistake(path, message)];
}

function generationMistakes(candidate: Candidate, context: RuleContext): readonly RawMistake[] {
  const { index, entry, wrong } = candidate;
  const { member = "", bucketKeyGeneration } = entry;
  const isCosi = context.isKnown("storage", "kind") && context.entry.storage?.kind === "cosi";
  const isUseless = hasBuckets(candidate) ? isCosi || hasGivenKeys(context, member) === true : !wrong.has("buckets");
  const message = "is for keys that kubecamp makes, and it makes none for this member; leave it out";
  return when(
    bucketKeyGeneration !== undefined && isUseless,
    valueMistake(["members", index, "bucketKeyGeneration"], bucketKeyGeneration, message),
  );
}

const taken = homeNames.filter(({ kind }) => kind === "ConfigMap").map(({ name }) => name);

function ownNameMistakes({ bucket: { name }, path }: Declared): readonly RawMistake[] {
  const message = "is the name of another ConfigMap of kubecamp's there; choose another name";
  return when(name !== undefined && taken.includes(name), valueMistake([...path, "name"], name, message));
}

/** The Secrets of one member's buckets need different names. */
function sameNameMistakes(declared: readonly Declared[]): RawMistake[] {
  const first = new Map<string, number>();
  return declared.flatMap(({ candidate, at, bucket: { name }, path }): RawMistake[] => {
    const key = `${candidate.index}/${name}`;
    const before = first.get(key);
    if (name === undefined || before === undefined) {
      first.set(key, at);
      return [];
    }
    const reported = `is the name of buckets[${before}] already; names must differ`;
    return [valueMistake([...path, "name"], name, reported)];
  });
}

/** With COSI, these keys belong to the BucketClass or the driver, not to the claim. */
function claimMistakes({ bucket, path }: Declared): RawMistake[] {
  const { name: _, quotaMiB: __, ...rest } = bucket;
  return Object.keys(rest).map((key) => {
    const whose = key === "reclaimPolicy" ? "that is the BucketClass's deletionPolicy" : "the driver decides that";
    return plainMistake([...path, key], `is for storage of kind: s3; leave it out: with cosi ${whose}`);
  });
}

/** No two buckets of a list may be the same bucket on the server. */
function serverNameMistakes(declared: readonly Declared[], { nameOf }: RuleContext): RawMistake[] {
  const first = new Map<string, Declared>();
  const seen = new Set<string>();
  return declared.flatMap((each): RawMistake[] => {
    const { candidate, bucket, path } = each;
    const { member } = candidate.entry;
    const isWrong = candidate.wrong.has(`buckets.${each.at}.bucketName`);
    const name = member && bucketNameOf(member, bucket);
    // Two members or buckets with one name are reported elsewhere.
    const own = `${member}/${bucket.name}`;
    if (name === undefined || isWrong || seen.has(own)) {
      return [];
    }
    seen.add(own);
    const place = [...path, bucket.bucketName === undefined ? "name" : "bucketName"];
    if (!isBucketName(name)) {
      const reported = `can't be the bucket's name on the server: ${bucketNameRule}; set bucketName`;
      return [valueMistake(place, name, reported)];
    }
    const other = first.get(name);
    if (other === undefined) {
      first.set(name, each);
      return [];
    }
    const reported = `is the name on the server of buckets[${other.at}] of ${nameOf(other.candidate.index)} already; set another bucketName`;
    return [valueMistake(place, name, reported)];
  });
}

/** Whoever may edit a members file alone must not get at any bucket of the server. */
function takeoverMistakes({ candidate, bucket, path }: Declared, context: RuleContext): readonly RawMistake[] {
  const { member } = candidate.entry;
  const { adopt = [] } = context.entry.storage ?? {};
  const name = member && bucketNameOf(member, bucket);
  if (!context.isListElsewhere || bucket.adopt !== true || name === undefined) {
    return [];
  }
  const message =
    `would take over bucket '${name}' with everything in it, and whoever edits the members file can't decide that: ` +
    "leave it out, or name the bucket in kubecamp:storage.adopt too";
  return when(!adopt.includes(name) && context.isKnown("storage", "adopt"), plainMistake([...path, "adopt"], message));
}

function accessMistakes({ candidate, bucket, path }: Declared, context: RuleContext): RawMistake[] {
  const { acl, grants, policy } = bucket;
  const { member = "" } = candidate.entry;
  const { users } = context.entry.storage ?? {};
  const isForNames = (grants ?? []).some((grant) => grant?.grantee !== undefined && grant.grantee !== allUsers);
  const isUnheeded = users === "versitygw" && hasGivenKeys(context, member) === false;
  // For users with a key, versitygw asks only the bucket's policy. kubecamp writes one for each bucket whose keys it
  // makes.
  const why = "would let nobody in: for users who sign in, versitygw uses only the bucket's policy; set policy instead";
  return [
    ...when(isUnheeded && isForNames, plainMistake([...path, "grants"], why)),
    ...when(isUnheeded && !isForNames && acl === "authenticated-read", valueMistake([...path, "acl"], acl, why)),
    ...when(
      acl !== undefined && grants !== undefined,
      plainMistake([...path, "grants"], "is set beside acl; keep one of the two"),
    ),
    ...(policy === undefined ? [] : ownPolicyMistakes(candidate, bucket, [...path, "policy"], context)),
  ];
}

function ownPolicyMistakes(
  { entry: { member } }: Candidate,
  bucket: BucketEntry,
  path: PropertyKey[],
  context: RuleContext,
) {
  const name = member && bucketNameOf(member, bucket);
  if (name === undefined) {
    return [];
  }
  const problems = policyMistakes(bucketPolicyText(bucket.policy ?? ""), name, context.entry.storage?.users);
  const hidden = "[secret] is no bucket policy for this bucket; write it as plain text to see why";
  const told = context.isSecret?.(path) === true ? problems.slice(0, 1).map(() => hidden) : problems;
  // A JSON parser quotes its input, line breaks included.
  return told.map((problem) => plainMistake(path, problem.replaceAll(/\s+/g, " ")));
}
