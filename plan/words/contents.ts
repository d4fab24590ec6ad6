import { counted, firstFew } from "../../config/values/sentences.ts";
import { each, lineOf, listed, type None, type Reason, type Why, type WordsOf } from "./wording.ts";

export interface ContentsRefusals {
  readonly bucketServer: { readonly members: readonly string[] };
}

export interface ContentsWarnings {
  readonly bucketInTheWay: Reason;
  readonly buckets: {
    readonly bucket: string;
    /** Undefined for a bucket that stays on the server. */
    readonly deletes: { readonly objects: number; readonly more: boolean } | undefined;
  };
  /** On the S3 server, a removed member's or maybe one: it stays there, closed or not. */
  readonly bucketsLeft: Why;
  readonly objectInTheWay: None;
  readonly starterInTheWay: Reason;
}

export const contentsWords: WordsOf<ContentsRefusals & ContentsWarnings> = {
  bucketServer: each(
    ({ facts: { members } }) =>
      `${firstFew(members, 3)} ${members.length === 1 ? "has" : "have"} buckets on an S3 server, and kubecamp:storage no longer names it; ` +
      "set it as it was, remove the buckets from the list, run, then remove it",
  ),
  bucketInTheWay: listed("Buckets whose Secret or ConfigMap is missing until you do this:", (one) =>
    lineOf(one, one.facts.reason),
  ),
  buckets: listed("Buckets that are no longer in the list, and what 'pulumi up' does with them:", (one) =>
    lineOf(one, `'${one.facts.bucket}' ${bucketFate(one.facts)}`),
  ),
  bucketsLeft: listed("On the S3 server, and left there (docs/run/bucket-server.md#the-state-is-lost):", (one) =>
    lineOf(one, one.facts.why),
  ),
  objectInTheWay: listed("Objects that members did not get, since another is in the way:", (one) =>
    lineOf(
      one,
      `${one.object} is the member's own: have them delete or rename it; if it is not, it has a text that Pulumi can't read: delete it`,
    ),
  ),
  starterInTheWay: listed(
    "Starter apps that are missing or incomplete until you do this, or set their starter to off:",
    (one) => lineOf(one, one.facts.reason),
  ),
};

export function bucketFate({ deletes }: Pick<ContentsWarnings["buckets"], "deletes">): string {
  if (deletes === undefined) {
    return "stays on the server with all that is in it, closed to everybody (Retain)";
  }
  const { objects, more } = deletes;
  const count = counted(objects, "object").replace(String(objects), objects.toLocaleString("en"));
  return `is deleted with ${more ? "more than " : ""}${count} (Delete)`;
}
