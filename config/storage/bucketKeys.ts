import { z } from "zod";
import { hasGrace } from "../offboarding.ts";
import type { Rule, RuleContext } from "../rule.ts";
import type { EntryOf } from "../values/issues.ts";
import { given, isMap, unread, when } from "../values/maps.ts";
import { plainMistake, type RawMistake } from "../values/mistakes.ts";
import { nearest } from "../values/nearest.ts";
import { identity, optional } from "../values/values.ts";
import { accessKeyId, encryptedBy, encryptedForm, secretAccessKey } from "./storage.ts";

const keysSchema = z.strictObject(
  {
    accessKeyId: accessKeyId.meta({ description: "Access key.", examples: ["AKIAEXAMPLE"] }),
    secretAccessKey: secretAccessKey.meta({
      description: `Its secret, ${encryptedBy("bucketKeys.<member>.secretAccessKey")}`,
      ...encryptedForm,
    }),
    principal: optional(
      identity,
      "User whom bucket policies let in, such as `arn:aws:iam::123456789012:user/alice`. Default: none; give access on the server.",
    ),
  },
  "must be a map with accessKeyId and secretAccessKey",
);

export const bucketKeysSchema = optional(
  z.record(z.string(), keysSchema, "must be a map of keys by members' names"),
  "Keys to buckets by member, if `storage.users` is not set.",
  { examples: [{ alice: { accessKeyId: "AKIAEXAMPLE", secretAccessKey: { secure: "v1:..." } } }] },
);

/** Keys that somebody else made for a member. The secret is absent if the configuration was read without its secrets. */
export type GivenKeys = Readonly<ReturnType<typeof givenKeysOf>>;

export const givenKeysOf = (entry: EntryOf<typeof keysSchema>) => ({
  accessKeyId: entry.accessKeyId ?? "",
  ...given(entry, "secretAccessKey", "principal"),
});

/** Whether keys are given for a member, valid or not; undefined if `bucketKeys` is encrypted. */
export function hasGivenKeys({ raw: { bucketKeys } }: Pick<RuleContext, "raw">, name: string): boolean | undefined {
  return bucketKeys === unread ? undefined : isMap(bucketKeys) && Object.hasOwn(bucketKeys, name);
}

export const bucketKeyRule: Rule = (all) => {
  const { bucketKeys } = all.raw;
  if (!isMap(bucketKeys) || bucketKeys === unread) {
    return [];
  }
  if (all.isKnown("storage", "kind") && all.entry.storage?.kind === "cosi") {
    const message = "is for storage of kind: s3; leave it out: with cosi the driver makes members' keys";
    return [plainMistake(["bucketKeys"], message)];
  }
  return [...Object.keys(bucketKeys).flatMap((name) => uselessMistakes(name, all)), ...sharedMistakes(all)];
};

/** Keys of a member who left the list, or who has no buckets, still open something on the server. */
function uselessMistakes(name: string, { candidates, settings }: RuleContext): readonly RawMistake[] {
  const names = candidates.flatMap(({ entry }) => entry.member ?? []);
  const found = candidates.filter(({ entry }) => entry.member === name);
  const command = `remove them: pulumi config rm --path kubecamp:bucketKeys.${name}`;
  // An incomplete list can't show who is missing from it.
  if (names.length < candidates.length || candidates.length === 0) {
    return [];
  }
  if (found.length === 0) {
    // A member in their grace time is not in the list, but needs their keys when they come back.
    return hasGrace(settings)
      ? []
      : [plainMistake(["bucketKeys", name], `has keys for no member of the list${nearest(name, names)}; ${command}`)];
  }
  const hasNone = found.every(({ entry: { buckets = [] }, wrong }) => buckets.length === 0 && !wrong.has("buckets"));
  const why = `has keys, but the member has no buckets; give them some, or ${command}`;
  return when(hasNone, plainMistake(["bucketKeys", name], why));
}

/** A key of two members lets each open the other's buckets; the administrator's key opens all. */
function sharedMistakes({ entry: { storage, bucketKeys = {} } }: RuleContext): RawMistake[] {
  const first = new Map<string, string>();
  return Object.entries(bucketKeys).flatMap(([name, keys]) =>
    (["accessKeyId", "principal"] as const).flatMap((key): readonly RawMistake[] => {
      const value = keys?.[key];
      const path = ["bucketKeys", name, key];
      if (typeof value !== "string") {
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
      return when(other !== undefined, plainMistake(path, why));
    }),
  );
}
