import { z } from "zod";
import { hasGrace } from "../offboarding.ts";
import type { Candidate, RulesContext } from "../rule.ts";
import { isMap, unread } from "../values/maps.ts";
import { plainMistake, type RawMistake } from "../values/mistakes.ts";
import { nearest } from "../values/nearest.ts";
import { identity, optional } from "../values/values.ts";
import { accessKeyId, encryptBy, encryptedForm, isClear, secretAccessKey } from "./storage.ts";

/** Keys that somebody else made for a member. */
export interface GivenKeys {
  readonly accessKeyId: string;
  /** Undefined if the configuration was read without its secrets. */
  readonly secretAccessKey?: string;
  /**
   * Principal in bucket policies, such as an ARN; each of the member's buckets lets it in. Default: kubecamp lets
   * nobody in.
   */
  readonly principal?: string;
}

/** Mistakes: keys for no member, or for one without buckets, and keys that open the buckets of others. */
export function bucketKeyFindings(candidates: readonly Candidate[], context: RulesContext): RawMistake[] {
  const { bucketKeys } = context.raw;
  if (!isMap(bucketKeys) || bucketKeys === unread) {
    return [];
  }
  if (isClear(context, "kind") && context.entry.storage?.kind === "cosi") {
    const message = "is for storage of kind: s3; leave it out: with cosi the driver makes members' keys";
    return [plainMistake(["bucketKeys"], message)];
  }
  return [
    ...Object.keys(bucketKeys).flatMap((name) => uselessKeyFindings(name, candidates, context)),
    ...sharedFindings(context),
  ];
}

/** Keys of a member who left the list, or who has no buckets, still open something on the server. */
function uselessKeyFindings(name: string, candidates: readonly Candidate[], { settings }: RulesContext): RawMistake[] {
  const names = candidates.flatMap(({ entry }) => entry.member ?? []);
  const found = candidates.filter(({ entry }) => entry.member === name);
  const mistake = (why: string): RawMistake[] => [plainMistake(["bucketKeys", name], why)];
  const command = `remove them: pulumi config rm --path kubecamp:bucketKeys.${name}`;
  // An incomplete list can't show who is missing from it.
  if (names.length < candidates.length || candidates.length === 0) {
    return [];
  }
  if (found.length === 0 && hasGrace(settings)) {
    // A member in their grace time is not in the list, but needs their keys when they come back.
    return [];
  }
  if (found.length === 0) {
    return mistake(`has keys for no member of the list${nearest(name, names)}; ${command}`);
  }
  const hasNone = found.every(({ entry: { buckets = [] }, wrong }) => buckets.length === 0 && !wrong.has("buckets"));
  return hasNone ? mistake(`has keys, but the member has no buckets; give them some, or ${command}`) : [];
}

/** Whether keys are given for a member, valid or not; undefined if `bucketKeys` is encrypted. */
export function hasGivenKeys({ raw: { bucketKeys } }: RulesContext, name: string): boolean | undefined {
  return bucketKeys === unread ? undefined : isMap(bucketKeys) && Object.hasOwn(bucketKeys, name);
}

/** A key of two members lets each open the other's buckets; the administrator's key opens all. */
function sharedFindings({ entry: { storage, bucketKeys = {} } }: RulesContext): RawMistake[] {
  const first = new Map<string, string>();
  return Object.entries(bucketKeys).flatMap(([name, keys]) =>
    (["accessKeyId", "principal"] as const).flatMap((key): RawMistake[] => {
      const value = keys?.[key];
      const path = ["bucketKeys", name, key];
      if (value === undefined || typeof value !== "string") {
        return [];
      }
      if (key === "accessKeyId" && value === storage?.accessKeyId) {
        const why =
          "is the administrator's (storage.accessKeyId), which opens everybody's buckets; give the member another";
        return [plainMistake(path, why)];
      }
      const other = first.get(`${key} ${value}`);
      first.set(`${key} ${value}`, other ?? name);
      const why = `is that of bucketKeys.${other}, too: each could open the other's buckets; give the member another`;
      return other === undefined ? [] : [plainMistake(path, why)];
    }),
  );
}

export const bucketKeysSchema = z.record(
  z.string(),
  z.strictObject(
    {
      accessKeyId: accessKeyId.meta({ description: "Access key.", examples: ["AKIAEXAMPLE"] }),
      secretAccessKey: secretAccessKey.meta({
        description: `Its secret, ${encryptBy} kubecamp:bucketKeys.<member>.secretAccessKey\`.`,
        ...encryptedForm,
      }),
      principal: optional(
        identity,
        "User whom bucket policies let in, such as `arn:aws:iam::123456789012:user/alice`. Default: none; give access on the server.",
      ),
    },
    "must be a map with accessKeyId and secretAccessKey",
  ),
  "must be a map of keys by members' names",
);

/** Keys that somebody else made for a member. */
export type BucketKeysEntry = z.input<typeof bucketKeysSchema>[string];
