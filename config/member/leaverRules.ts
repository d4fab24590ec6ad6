import { givenFindings } from "../objects/givenRules.ts";
import { hasGrace } from "../offboarding.ts";
import type { Candidate, RulesContext } from "../rule.ts";
import { hasGivenKeys } from "../storage/bucketKeys.ts";
import { bucketNameOf } from "../storage/buckets.ts";
import { isClear } from "../storage/storage.ts";
import { unread } from "../values/maps.ts";
import { plainMistake, type RawMistake, valueMistake } from "../values/mistakes.ts";
import { hadKeys, type KeptHome, keptSubject, longestEntry } from "./leavers.ts";
import type { Member } from "./member.ts";

/** Mistakes: members to remove at once who are in the list, and entries too long to be kept. */
export function graceFindings(
  candidates: readonly Candidate[],
  { settings }: RulesContext,
  homes: readonly KeptHome[],
): RawMistake[] {
  const { removeNow = [] } = settings.offboarding;
  const listed = new Set(candidates.flatMap(({ entry }) => entry.member ?? []));
  const both = removeNow.flatMap((name, at) =>
    listed.has(name)
      ? [
          valueMistake(
            ["offboarding", "removeNow", at],
            name,
            "is in the list of members; remove it from one of the two",
          ),
        ]
      : [],
  );
  return hasGrace(settings)
    ? [...both, ...candidates.flatMap(lengthFindings), ...candidates.flatMap((each) => anotherSubject(each, homes))]
    : both;
}

function lengthFindings({ index, entry }: Candidate): RawMistake[] {
  const bytes = Buffer.byteLength(JSON.stringify(entry));
  const why = `takes ${Math.ceil(bytes / 1024)} KiB; with offboarding.graceDays an entry has at most ${longestEntry / 1024}, because it is kept on the cluster`;
  return bytes > longestEntry ? [plainMistake(["members", index], why)] : [];
}

/**
 * Mistakes about members who have left the list: an archive without an S3 server, or in a bucket that a member can write to;
 * buckets that are theirs still; and objects that they can't have.
 */
export const leaverFindings = (
  candidates: readonly Candidate[],
  context: RulesContext,
  leavers: readonly Member[],
): RawMistake[] => [
  ...archiveFindings(candidates, context, leavers),
  ...(context.settings.storage?.kind === "s3" ? bucketFindings(candidates, leavers) : []),
  ...givenFindings(leavers, context),
];

/** Two resources would make one bucket, and each give it to its own member. */
function bucketFindings(candidates: readonly Candidate[], leavers: readonly Member[]): RawMistake[] {
  const kept = new Map(
    leavers.flatMap((leaver) => (leaver.buckets ?? []).map(({ bucketName }) => [bucketName, leaver] as const)),
  );
  return candidates.flatMap(({ index, entry: { member = "", buckets = [] } }) =>
    buckets.flatMap((bucket, at): RawMistake[] => {
      const name = bucket?.name === undefined ? "" : bucketNameOf(member, bucket.name, bucket);
      const leaver = kept.get(name);
      const key = bucket?.bucketName === undefined ? "name" : "bucketName";
      const why = `is the name on the server of a bucket of '${leaver?.name}', who is in grace until ${leaver?.leaves}; set another bucketName, or add '${leaver?.name}' to offboarding.removeNow`;
      return leaver === undefined ? [] : [valueMistake(["members", index, "buckets", at, key], name, why)];
    }),
  );
}

function archiveFindings(
  candidates: readonly Candidate[],
  context: RulesContext,
  leavers: readonly Member[],
): RawMistake[] {
  const { archive } = context.settings.offboarding;
  if (archive === undefined) {
    return [];
  }
  const { storage } = context.settings;
  const path = ["offboarding", "archive"];
  const isUnknown = context.raw.storage === unread || !isClear(context, "kind");
  const noServer =
    storage === undefined
      ? "needs an S3 server; set storage"
      : "needs an S3 server, and storage is of kind: cosi, where only the driver knows it";
  const snapshotClass =
    archive.snapshotClass !== undefined && archive.volumes !== "snapshot"
      ? [plainMistake([...path, "snapshotClass"], "is for volumes: snapshot; set that, or leave it out")]
      : [];
  const owner = candidates.find(({ entry: { member = "", buckets = [] } }) =>
    buckets.some(
      (bucket) => bucket?.name !== undefined && bucketNameOf(member, bucket.name, bucket) === archive.bucket,
    ),
  );
  const leaver = leavers.find(({ buckets = [] }) => buckets.some(({ bucketName }) => bucketName === archive.bucket));
  const whose = owner === undefined ? leaver && `${leaver.name}, who has left the list` : context.nameOf(owner.index);
  return [
    ...(isUnknown || storage?.kind === "s3" ? [] : [plainMistake(path, noServer)]),
    ...snapshotClass,
    ...(whose === undefined
      ? []
      : [
          valueMistake(
            [...path, "bucket"],
            archive.bucket,
            `is a bucket of ${whose}: its owner could read and delete everybody's archives; make another`,
          ),
        ]),
  ];
}

/** A new person would get what the one who left has in the namespace. */
function anotherSubject({ index, entry, wrong }: Candidate, homes: readonly KeptHome[]): RawMistake[] {
  const { member: name, subject = name } = entry;
  const home = homes.find(({ member, leaves }) => member === name && leaves !== undefined);
  const kept = home && keptSubject(home);
  if (home === undefined || kept === undefined || subject === undefined || wrong.has("subject") || kept === subject) {
    return [];
  }
  const why =
    `is another person than '${kept}', who left the list as '${name}' and has the namespace until ${home.leaves}. ` +
    "Choose another name for the new member. If it is the same person, put the old subject back, run 'pulumi up', then change it";
  return [valueMistake(["members", index, entry.subject === undefined ? "member" : "subject"], subject, why)];
}

/**
 * Mistakes: keys of members in grace that the settings no longer have or make. Policies and grants leave closed keys out
 * only as long as the settings name them, and the Secret in the namespace holds them.
 */
export function leaverKeyFindings(leavers: readonly Member[], context: RulesContext): RawMistake[] {
  const { kind = "s3", users } = context.entry.storage ?? {};
  const isKnown = isClear(context, "kind") && isClear(context, "users");
  return leavers.flatMap(({ name, leaves, entry = "", buckets = [] }): RawMistake[] => {
    if (!isKnown || kind !== "s3" || buckets.length === 0 || hasGivenKeys(context, name) !== false) {
      return [];
    }
    const keep = `is missing: keep it until ${name}, who has left the list, is removed (from ${leaves} on)`;
    if (hadKeys(entry)) {
      return [plainMistake(["bucketKeys", name], `${keep}; without it, others' policies let these keys in again`)];
    }
    const made = `${keep}; kubecamp made the member's keys with it`;
    return users === undefined ? [plainMistake(["storage", "users"], made)] : [];
  });
}
