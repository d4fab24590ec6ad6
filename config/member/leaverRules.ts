import { hasGrace } from "../offboarding.ts";
import type { Rule } from "../rule.ts";
import { hasGivenKeys } from "../storage/bucketKeys.ts";
import { bucketNameOf } from "../storage/buckets.ts";
import { when } from "../values/maps.ts";
import { plainMistake, type RawMistake, valueMistake } from "../values/mistakes.ts";
import { hadKeys, keptSubject, longestEntry } from "./leavers.ts";

export const removeNowRule: Rule = ({ candidates, settings: { offboarding } }) => {
  const listed = new Set(candidates.map(({ entry }) => entry.member));
  return (offboarding.removeNow ?? []).flatMap((name, at) =>
    when(
      listed.has(name),
      valueMistake(["offboarding", "removeNow", at], name, "is in the list of members; remove it from one of the two"),
    ),
  );
};

export const keptEntryRule: Rule = ({ candidates, settings }) => {
  if (!hasGrace(settings)) {
    return [];
  }
  return candidates.flatMap(({ index, entry }) => {
    const bytes = Buffer.byteLength(JSON.stringify(entry));
    const why = `takes ${Math.ceil(bytes / 1024)} KiB; with offboarding.graceDays an entry has at most ${longestEntry / 1024}, because it is kept on the cluster`;
    return when(bytes > longestEntry, plainMistake(["members", index], why));
  });
};

export const sameSubjectRule: Rule = ({ candidates, homes }) =>
  candidates.flatMap(({ index, entry, wrong }) => {
    const { member: name, subject = name } = entry;
    const home = homes.find(({ member, leaves }) => member === name && leaves !== undefined);
    const kept = home && keptSubject(home);
    const isAnother = kept !== undefined && subject !== undefined && kept !== subject && !wrong.has("subject");
    const why =
      `is another person than '${kept}', who left the list as '${name}' and has the namespace until ${home?.leaves}. ` +
      "Choose another name for the new member. If it is the same person, put the old subject back, run 'pulumi up', then change it";
    return when(
      isAnother,
      valueMistake(["members", index, entry.subject === undefined ? "member" : "subject"], subject, why),
    );
  });

export const archiveRule: Rule = (all) => {
  const { archive } = all.settings.offboarding;
  const { storage } = all.settings;
  if (archive === undefined) {
    return [];
  }
  const path = ["offboarding", "archive"];
  const isUnknown = !all.isKnown("storage", "kind");
  const noServer =
    storage === undefined
      ? "needs an S3 server; set storage"
      : "needs an S3 server, and storage is of kind: cosi, where only the driver knows it";
  const owner = all.candidates.find(({ entry: { member = "", buckets = [] } }) =>
    buckets.some((bucket) => bucket && bucketNameOf(member, bucket) === archive.bucket),
  );
  const leaver = all.leavers.find(({ buckets }) => buckets?.some(({ bucketName }) => bucketName === archive.bucket));
  const whose = owner === undefined ? leaver && `${leaver.name}, who has left the list` : all.nameOf(owner.index);
  return [
    ...when(!isUnknown && storage?.kind !== "s3", plainMistake(path, noServer)),
    ...when(
      archive.snapshotClass !== undefined && archive.volumes !== "snapshot",
      plainMistake([...path, "snapshotClass"], "is for volumes: snapshot; set that, or leave it out"),
    ),
    ...when(
      whose !== undefined,
      valueMistake(
        [...path, "bucket"],
        archive.bucket,
        `is a bucket of ${whose}: its owner could read and delete everybody's archives; make another`,
      ),
    ),
  ];
};

export const keptBucketRule: Rule = ({ candidates, leavers, settings: { storage } }) => {
  const kept = new Map(
    leavers.flatMap((leaver) => (leaver.buckets ?? []).map(({ bucketName }) => [bucketName, leaver] as const)),
  );
  return candidates.flatMap(({ index, entry: { member = "", buckets = [] } }) =>
    buckets.flatMap((bucket, at) => {
      const name = bucketNameOf(member, bucket ?? {});
      const leaver = kept.get(name ?? "");
      const key = bucket?.bucketName === undefined ? "name" : "bucketName";
      const why = `is the name on the server of a bucket of '${leaver?.name}', who is in grace until ${leaver?.leaves}; set another bucketName, or add '${leaver?.name}' to offboarding.removeNow`;
      const isTaken = leaver !== undefined && storage?.kind === "s3";
      return when(isTaken, valueMistake(["members", index, "buckets", at, key], name, why));
    }),
  );
};

export const leaverKeyRule: Rule = (all) => {
  const { kind = "s3", users } = all.entry.storage ?? {};
  const isKnown = all.isKnown("storage", "kind") && all.isKnown("storage", "users");
  return all.leavers.flatMap(({ name, leaves, entry = "", buckets = [] }): readonly RawMistake[] => {
    if (!isKnown || kind !== "s3" || buckets.length === 0 || hasGivenKeys(all, name) !== false) {
      return [];
    }
    const keep = `is missing: keep it until ${name}, who has left the list, is removed (from ${leaves} on)`;
    if (hadKeys(entry)) {
      return [plainMistake(["bucketKeys", name], `${keep}; without it, others' policies let these keys in again`)];
    }
    const made = `${keep}; kubecamp made the member's keys with it`;
    return when(users === undefined, plainMistake(["storage", "users"], made));
  });
};
