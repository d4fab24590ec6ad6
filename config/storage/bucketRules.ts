import { homeNames } from "../names/names.ts";
import type { Candidate, RulesContext } from "../rule.ts";
import type { Valid } from "../values/issues.ts";
import { isMap } from "../values/maps.ts";
import { plainMistake, type RawMistake, valueMistake } from "../values/mistakes.ts";
import { encryptCommand } from "../values/secretKeys.ts";
import { hasGivenKeys } from "./bucketKeys.ts";
import { policyMistakes } from "./bucketPolicy.ts";
import { allUsers, type BucketEntry, bucketNameOf, policyText } from "./buckets.ts";
import { bucketNameRule, defaultStorage, isBucketName, isClear } from "./storage.ts";

/** A bucket of a member's entry, without its invalid keys. */
interface Declared {
  readonly candidate: Candidate;
  readonly at: number;
  readonly bucket: Valid<BucketEntry>;
  readonly path: readonly PropertyKey[];
}

/** Mistakes: buckets without a server or keys, buckets that conflict, and buckets that their server can't provide. */
export function bucketFindings(candidates: readonly Candidate[], context: RulesContext): RawMistake[] {
  const declared = candidates.flatMap((candidate) => bucketsOf(candidate));
  const kind = isClear(context, "kind") ? (context.entry.storage?.kind ?? defaultStorage.kind) : undefined;
  return [
    ...candidates.flatMap((candidate) => [
      ...baseFindings(candidate, context),
      ...generationFindings(candidate, context),
    ]),
    ...declared.flatMap(ownNameFindings),
    ...sameNameFindings(declared),
    ...(kind === "cosi" ? declared.flatMap(claimFindings) : []),
    ...(kind === "s3"
      ? [
          ...serverNameFindings(declared, context),
          ...declared.flatMap((each) => [...accessFindings(each, context), ...takeoverFindings(each, context)]),
        ]
      : []),
  ];
}

const hasBuckets = ({ entry: { buckets = [] } }: Candidate) => buckets.length > 0;

const bucketsOf = (candidate: Candidate): Declared[] =>
  [...(candidate.entry.buckets ?? []).entries()].flatMap(([at, bucket]) =>
    bucket === undefined ? [] : [{ candidate, at, bucket, path: ["members", candidate.index, "buckets", at] }],
  );

/** Buckets need a server, and keys. */
function baseFindings(candidate: Candidate, context: RulesContext): RawMistake[] {
  const { index, entry } = candidate;
  const { raw, entry: stack } = context;
  const path = ["members", index, "buckets"];
  if (!hasBuckets(candidate)) {
    return [];
  }
  if (raw.storage === undefined) {
    return [plainMistake(path, "needs a server, and none is set; set kubecamp:storage, or leave buckets out")];
  }
  const isKnown = (["kind", "users"] as const).every((key) => isClear(context, key)) && isMap(raw.storage);
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

function generationFindings(candidate: Candidate, context: RulesContext): RawMistake[] {
  const { index, entry, wrong } = candidate;
  const { member = "", bucketKeyGeneration } = entry;
  const isCosi = isClear(context, "kind") && context.entry.storage?.kind === "cosi";
  const isUseless = hasBuckets(candidate) ? isCosi || hasGivenKeys(context, member) === true : !wrong.has("buckets");
  const message = "is for keys that kubecamp makes, and it makes none for this member; leave it out";
  return bucketKeyGeneration !== undefined && isUseless
    ? [valueMistake(["members", index, "bucketKeyGeneration"], bucketKeyGeneration, message)]
    : [];
}

/** Names of ConfigMaps that kubecamp makes in members' namespaces. */
const taken = homeNames.filter(({ kind }) => kind === "ConfigMap").map(({ name }) => name);

function ownNameFindings({ bucket: { name }, path }: Declared): RawMistake[] {
  const message = "is the name of another ConfigMap of kubecamp's there; choose another name";
  return name !== undefined && taken.includes(name) ? [valueMistake([...path, "name"], name, message)] : [];
}

/** The Secrets of one member's buckets need different names. */
function sameNameFindings(declared: readonly Declared[]): RawMistake[] {
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
function claimFindings({ bucket, path }: Declared): RawMistake[] {
  const { name: _, quotaMiB: __, ...rest } = bucket;
  return Object.keys(rest).map((key) => {
    const whose = key === "reclaimPolicy" ? "that is the BucketClass's deletionPolicy" : "the driver decides that";
    return plainMistake([...path, key], `is for storage of kind: s3; leave it out: with cosi ${whose}`);
  });
}

/** No two buckets of a list may be the same bucket on the server. */
function serverNameFindings(declared: readonly Declared[], { nameOf }: RulesContext): RawMistake[] {
  const first = new Map<string, Declared>();
  const seen = new Set<string>();
  return declared.flatMap((each): RawMistake[] => {
    const { candidate, bucket, path } = each;
    const { member } = candidate.entry;
    const isWrong = candidate.wrong.has(`buckets.${each.at}.bucketName`);
    // Two members or buckets with one name are reported elsewhere.
    const own = `${member}/${bucket.name}`;
    if (member === undefined || bucket.name === undefined || isWrong || seen.has(own)) {
      return [];
    }
    seen.add(own);
    const name = bucketNameOf(member, bucket.name, bucket);
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
function takeoverFindings({ candidate, bucket, path }: Declared, context: RulesContext): RawMistake[] {
  const { member } = candidate.entry;
  const { adopt = [] } = context.entry.storage ?? {};
  if (!context.isListElsewhere || bucket.adopt !== true || member === undefined || bucket.name === undefined) {
    return [];
  }
  const name = bucketNameOf(member, bucket.name, bucket);
  const message =
    `would take over bucket '${name}' with everything in it, and whoever edits the members file can't decide that: ` +
    "leave it out, or name the bucket in kubecamp:storage.adopt too";
  return adopt.includes(name) || !isClear(context, "adopt") ? [] : [plainMistake([...path, "adopt"], message)];
}

/** Access for others than the member. */
function accessFindings({ candidate, bucket, path }: Declared, context: RulesContext): RawMistake[] {
  const { isSecret } = context;
  const { acl, grants, policy, name } = bucket;
  const { member } = candidate.entry;
  const { users } = context.entry.storage ?? {};
  const findings: RawMistake[] = [];
  // For users with a key, versitygw asks only the bucket's policy. kubecamp writes one for each bucket whose keys it
  // makes.
  const isUnheeded = users === "versitygw" && hasGivenKeys(context, member ?? "") === false;
  const isForNames = (grants ?? []).some((grant) => grant?.grantee !== undefined && grant.grantee !== allUsers);
  const key = isForNames ? "grants" : acl === "authenticated-read" ? "acl" : undefined;
  if (isUnheeded && key !== undefined) {
    const reported =
      "would let nobody in: for users who sign in, versitygw uses only the bucket's policy; set policy instead";
    findings.push({ path: [...path, key], message: (show) => (key === "acl" ? `${show(acl)} ${reported}` : reported) });
  }
  if (acl !== undefined && grants !== undefined) {
    findings.push(plainMistake([...path, "grants"], "is set beside acl; keep one of the two"));
  }
  if (policy !== undefined && name !== undefined && member !== undefined) {
    const place = [...path, "policy"];
    const mistakes = policyMistakes(policyText(policy), bucketNameOf(member, name, bucket), users);
    const hidden = "[secret] is no bucket policy for this bucket; write it as plain text to see why";
    const reported = isSecret?.(place) === true ? mistakes.slice(0, 1).map(() => hidden) : mistakes;
    // A JSON parser quotes its input, line breaks included.
    findings.push(...reported.map((mistake) => plainMistake(place, mistake.replaceAll(/\s+/g, " "))));
  }
  return findings;
}
